// What the types of steps do.
#include "backend/cluster/msccl/algo.h"

namespace muster::msccl {

bool sends(Type type) {
  return type == Type::send || type == Type::receive_copy_send || type == Type::receive_reduce_send ||
         type == Type::receive_reduce_copy_send;
}

bool receives(Type type) {
  return type == Type::receive || type == Type::receive_copy_send || type == Type::receive_reduce_send ||
         type == Type::receive_reduce_copy || type == Type::receive_reduce_copy_send;
}

bool reads_source(Type type) {
  return type == Type::send || type == Type::copy || type == Type::reduce || type == Type::receive_reduce_send ||
         type == Type::receive_reduce_copy || type == Type::receive_reduce_copy_send;
}

bool stores(Type type) {
  return type == Type::receive || type == Type::receive_copy_send || type == Type::copy || type == Type::reduce ||
         type == Type::receive_reduce_copy || type == Type::receive_reduce_copy_send;
}

}  // namespace muster::msccl
