#include "instructions/word_classes.h"

#include <algorithm>
#include <array>

namespace ringwall::instructions {
namespace {

struct ClassedWords {
  uint64_t classes;
  std::string_view words;  // separated by blanks
};

constexpr ClassedWords kClassed[] = {
    {kOverride,
     "ignore ignoring disregard disregarding forget overrule bypass discard neglect ignora ignorar "
     "ignorad ignoren olvida olvide olviden descarta omite omita ignorez oublie oubliez ignoriere "
     "ignorieren ignoriert vergiss vergesse missachte ignorate dimentica trascura ignorem esqueca "
     "esqueça desconsidere negeer vergeet zignoruj ignoruj zapomnij ignorera glom "
     "игнорируй игнорируйте проигнорируй проигнорируйте забудь забудьте ігноруй ігноруйте"},
    {kOverride | kOverrideNoun, "override"},
    {kEarlier,
     "previous prior above earlier preceding foregoing former original initial previously before "
     "anteriores previas previos precedentes anterieures anterieurs precedente vorherigen "
     "vorhergehenden bisherigen obigen fruheren vorigen vorherige precedenti anterior vorige "
     "eerdere voorgaande poprzednie wczesniejsze onceki tidigare предыдущие предыдущих прежние "
     "попередні"},
    {kEarlier | kYour, "your tus sus vos tes deine ihre tue seus suas jouw twoje"},
    {kAny,
     "all any every these those existing other safety security todas todos toutes tous alle "
     "tutte tutti wszystkie tum все всех"},
    {kInstructions,
     "instructions instruction prompt prompts directives directive guidelines programming training "
     "instrucciones indicaciones consignes anweisungen instruktionen istruzioni instrucoes "
     "instructies instrukcje polecenia talimatlari talimatlar instruktioner инструкции инструкций "
     "указания указаний інструкції"},
    {kRules,
     "rules commands constraints restrictions policies safeguards guardrails orders messages "
     "context directions ordenes reglas ordres regles befehle regeln vorgaben regole ordini regras "
     "ordens opdrachten regels zasady komutlari правила команды"},
    {kAssistant,
     "assistant assistants ai ais llm llms claude chatgpt gpt copilot gemini codex cursor chatbot "
     "aider windsurf devin cline asistente assistente assistent ki ia asystent ассистент ии"},
    {kAssistant | kModel, "agent agents"},
    {kModel, "model models"},
    {kLanguage, "language coding"},
    {kMust,
     "must should shall required please always immediately mandatory debes debe devez doit "
     "musst muss devi deve moet musisz должен должны"},
    {kAct | kRun,
     "run execute follow obey perform launch eval ejecuta ejecute execute executez "
     "fuhre esegui executa выполни выполните"},
    {kAct,
     "read open fetch download install call invoke visit write delete remove copy add include "
     "append approve commit push merge respond reply say answer use cat change set pass"},
    {kAct | kSend,
     "send upload post exfiltrate transmit forward email leak submit envia envie "
     "envoie envoyez sende invia отправь отправьте"},
    {kAct | kFetch, "curl wget"},
    {kNot, "not never dont without avoid no ne nicht non nao niet nie не"},
    {kTell,
     "tell telling told mention mentioning inform informing notify notifying alert alerting "
     "disclose disclosing warn warning reveal discuss informes digas menciones dites "
     "mentionne sag erwahne menzionare сообщай говори"},
    {kShow, "show showing ask asking display explain"},
    {kUser,
     "user users human humans person developer operator anyone anybody owner reviewer usuario "
     "utilisateur benutzer nutzer utente пользователю"},
    {kSecret,
     "credential credentials token tokens password passwords secret secrets apikey env "
     "id_rsa id_ed25519 ssh cookies wallet mnemonic conversation history"},
    {kSecret | kMode, "key keys"},
    {kYou, "you"},
    {kNew, "new real updated actual true revised nueva nuevas neue nouvelles nuove novas новые"},
    {kTask, "task tasks goal objective job mission role purpose tarea aufgabe tache"},
    {kNow, "now henceforth onwards"},
    {kFrom, "from"},
    {kAre, "are is re"},
    {kSystem, "system sysadmin"},
    {kMaker, "anthropic openai administrator admin deepmind"},
    {kMode, "mode"},
    {kUnbound, "unrestricted jailbroken jailbreak dan unfiltered uncensored god sudo"},
    {kUnbound | kUser, "developer"},
    {kReveal, "reveal print repeat output"},
    {kBefore, "before first prior"},
    {kTool, "tool tools function functions"},
    {kIf, "if when whenever si wenn если"},
    {kAddress,
     "note notice attention dear hey message instructions instruction directive hello "
     "reminder psa hinweis atencion achtung"},
    {kFor, "for to"},
    {kDecode, "decode decoding base64 rot13 hex b64decode atob unhex deobfuscate"},
    {kAbout,
     "injection injections attack attacks attacker attackers adversary adversarial jailbreaks "
     "payload payloads phrase phrases example examples malicious vulnerability exploit detect "
     "detector detection detects classifier pattern patterns dataset regex strings fixture "
     "mitigations researchers poisoning poisoned cve literal"},
    {kAs, "as"},
    {kWhoMay, "to can could would may might will that which who cannot should"},
    {kImportant, "important urgent critical"},
    {kEverything, "everything anything todo tout alles tutto tudo"},
    {kUsing,
     "using building developing working with evaluating researcher "
     "researchers engineer engineers vendor company integrating"},
    {kKnowledge, "knowledge consent noticing knowing permission awareness approval confirmation"},
    {kSecretFile, "id_rsa id_ed25519 passwd shadow netrc kubeconfig"},
    {kHail, "attention hey dear hello achtung atencion"},
    {kOver, "to into at via"},
    {kSilently, "silently secretly quietly covertly discreetly"},
};

constexpr size_t count_words() {
  size_t count = 0;
  for (const ClassedWords& entry : kClassed)
    count += 1 + static_cast<size_t>(std::ranges::count(entry.words, ' '));
  return count;
}

struct Entry {
  std::string_view word;
  uint64_t classes = 0;
};

constexpr auto make_table() {
  std::array<Entry, count_words()> table;
  size_t used = 0;
  for (const ClassedWords& entry : kClassed) {
    std::string_view rest = entry.words;
    while (!rest.empty()) {
      size_t end = std::min(rest.find(' '), rest.size());
      table[used++] = {rest.substr(0, end), entry.classes};
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::sort(table.begin(), table.end(),
            [](const Entry& a, const Entry& b) { return a.word < b.word; });
  return table;
}

constexpr auto kTable = make_table();

// Lengths that words of the table with this first byte have, a bit for each: most words of a text
// are known not to be there by this alone.
constexpr auto make_lengths() {
  std::array<uint32_t, 256> lengths = {};
  for (const Entry& entry : kTable)
    lengths[static_cast<unsigned char>(entry.word[0])] |= 1u << (entry.word.size() & 31);
  return lengths;
}

constexpr auto kLengths = make_lengths();

}  // namespace

uint64_t classes_of(std::string_view word) {
  if (word.empty()) return 0;
  bool may_be = (kLengths[static_cast<unsigned char>(word[0])] >> (word.size() & 31) & 1) != 0;
  if (!may_be) return 0;
  uint64_t classes = 0;
  auto entry = std::ranges::lower_bound(kTable, word, {}, &Entry::word);
  for (; entry != kTable.end() && entry->word == word; ++entry)
    classes |= entry->classes;
  return classes;
}

}  // namespace ringwall::instructions
