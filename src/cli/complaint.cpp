#include "cli/complaint.hpp"

#include <new>
#include <system_error>

#include "worker/worker_client.hpp"

namespace gtune {

Complaint complaint_about(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Interrupted&) {
    return {
        "interrupted; all measurements so far are stored: to continue, run the same command "
        "without "
        "--fresh",
        ExitCode::interrupted};
  } catch (const UserError& mistake) {
    return {mistake.what(), mistake.code()};
  } catch (const std::bad_alloc&) {
    return {"out of memory; free some, or raise the limit (ulimit -v)", ExitCode::failed};
  } catch (const std::system_error& refused) {  // files, threads, processes
    return {std::string("system error: ") + refused.what(), ExitCode::failed};
  } catch (const std::exception& other) {
    return {std::string("unexpected: ") + other.what(), ExitCode::failed};
  } catch (...) {
    return {"unexpected: an exception of unknown type", ExitCode::failed};
  }
}

}  // namespace gtune
