// The handlers of the trapped calls, by the file that they are in.
#pragma once

#include "sim/guest/time/trapped_call.h"

namespace sim::guest::calls {

// image_calls.cpp
void new_image(TrappedCall& call);
// The image has the page by which its clock can be lent; the supervisor reads it from now on.
void read_lease_page(const TrappedCall& call);
void getrandom(TrappedCall& call);
void leave_lockstep(TrappedCall& call);
// clock_calls.cpp
void clock_gettime(TrappedCall& call);
void gettimeofday(TrappedCall& call);
void time(TrappedCall& call);
void sysinfo(TrappedCall& call);
void nanosleep(TrappedCall& call);
void clock_nanosleep(TrappedCall& call);
void rt_sigtimedwait(TrappedCall& call);
// poll_calls.cpp
void poll(TrappedCall& call);
void ppoll(TrappedCall& call);
void select(TrappedCall& call);
void pselect6(TrappedCall& call);
void epoll_wait(TrappedCall& call);
void epoll_pwait(TrappedCall& call);
void epoll_pwait2(TrappedCall& call);
// thread_calls.cpp
void futex(TrappedCall& call);
void begin(TrappedCall& call);
void ask_for_child(TrappedCall& call);
void sched_yield(TrappedCall& call);
// timer_calls.cpp
void timer_create(TrappedCall& call);
void timer_settime(TrappedCall& call);
void timer_gettime(TrappedCall& call);
void timer_getoverrun(TrappedCall& call);
void timer_delete(TrappedCall& call);
void setitimer(TrappedCall& call);
void getitimer(TrappedCall& call);
void alarm(TrappedCall& call);
void timerfd_settime(TrappedCall& call);
void timerfd_gettime(TrappedCall& call);
// file_calls.cpp
void sync_descriptor(TrappedCall& call);
void sync_all(TrappedCall& call);
void open_written_through(TrappedCall& call);
void make_fifo(TrappedCall& call);
void ioctl(TrappedCall& call);
void mount(TrappedCall& call);
void umount2(TrappedCall& call);
// connect_calls.cpp
void connect(TrappedCall& call);
// port_calls.cpp
// Before a call that would have the kernel choose one for the socket, its first argument.
void choose_port(const TrappedCall& call);
std::uint16_t draw_port(Stream& stream);
unsigned draw_name(Stream& stream);  // five hexadecimal digits
void bind(TrappedCall& call);
void listen(TrappedCall& call);
void sendto(TrappedCall& call);
// write_calls.cpp
void write(TrappedCall& call);
// exit_calls.cpp
void exit_group(TrappedCall& call);
// warm_calls.cpp
void skip(TrappedCall& call);
void tell_taken(TrappedCall& call);
void give_memory_image(TrappedCall& call);
// refused_calls.cpp
void refuse(TrappedCall& call);

}  // namespace sim::guest::calls
