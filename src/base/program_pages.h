// The start of a run reads most of the program, what follows only little of it.
#pragma once

namespace ringwall {

// Lets go of the program's code and constants in memory: what is needed again comes again, which
// takes longer than one would think.
void forget_program_pages();

// For a loop that waits by poll: lets go of them once, when nothing has come for a while.
class IdleThrift {
 public:
  // Milliseconds, as poll takes them, instead of `longest`.
  int wait_time(int longest) const;
  void after_wait(int ready);

 private:
  bool is_done_ = false;
};

}  // namespace ringwall
