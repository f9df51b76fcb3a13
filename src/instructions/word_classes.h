// Words that instructions for an assistant are made of, in the languages that matter most. What
// counts is which of them stand near each other; instructions/instruction_phrases.h says which.
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwall::instructions {

// One bit each: a word may be of several classes.
enum WordClass : uint64_t {
  kOverride = 1ull << 0,       // ignore, disregard, forget
  kEarlier = 1ull << 1,        // previous, above, your
  kAny = 1ull << 2,            // all, any, these
  kInstructions = 1ull << 3,   // instructions, prompt
  kRules = 1ull << 4,          // rules, context: said of much else too
  kAssistant = 1ull << 5,      // assistant, ai, claude
  kMust = 1ull << 6,           // must, should, please
  kAct = 1ull << 7,            // run, send, read
  kNot = 1ull << 8,            // not, never, without
  kTell = 1ull << 9,           // tell, mention, inform
  kShow = 1ull << 10,          // show, ask: what pages say of their readers too
  kUser = 1ull << 11,          // user, human, developer
  kSecret = 1ull << 12,        // credentials, token, .env
  kSend = 1ull << 13,          // send, upload, exfiltrate
  kYou = 1ull << 14,           // you
  kYour = 1ull << 15,          // your
  kNew = 1ull << 16,           // new, real, updated
  kTask = 1ull << 17,          // task, goal, job
  kNow = 1ull << 18,           // now
  kFrom = 1ull << 19,          // from
  kAre = 1ull << 20,           // are, is
  kSystem = 1ull << 21,        // system
  kMaker = 1ull << 22,         // anthropic, openai, administrator
  kMode = 1ull << 23,          // mode
  kUnbound = 1ull << 24,       // unrestricted, jailbroken, dan
  kReveal = 1ull << 25,        // reveal, print, repeat
  kBefore = 1ull << 26,        // before
  kTool = 1ull << 27,          // tool, tools
  kIf = 1ull << 28,            // if, when
  kAddress = 1ull << 29,       // note, attention, dear, message
  kFor = 1ull << 30,           // for, to
  kDecode = 1ull << 31,        // decode, base64, rot13
  kRun = 1ull << 32,           // run, execute, follow
  kAbout = 1ull << 33,         // attack, example: whoever speaks of instructions
  kLanguage = 1ull << 34,      // language, coding
  kModel = 1ull << 35,         // model, agent
  kAs = 1ull << 36,            // as
  kWhoMay = 1ull << 37,        // to, can, could: what follows is no order
  kOverrideNoun = 1ull << 38,  // override
  kFetch = 1ull << 39,         // curl, wget
  kImportant = 1ull << 40,     // important, urgent, critical
  kSilently = 1ull << 41,      // silently, secretly
  kEverything = 1ull << 42,    // everything, anything
  kUsing = 1ull << 43,         // using, building: of whoever works with an assistant
  kKnowledge = 1ull << 44,     // knowledge, consent
  kSecretFile = 1ull << 45,    // id_rsa, passwd
  kHail = 1ull << 46,          // attention, hey, dear
  kOver = 1ull << 47,          // to, into: where something is sent
};

// 0 for a word of no class. Words are in small letters, Latin ones without accents.
uint64_t classes_of(std::string_view word);

}  // namespace ringwall::instructions
