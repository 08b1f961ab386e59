/** A word or phrase that a reader has to guess, and what to write. */
export const bannedPhrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are) no\b(?! longer)|\band none\b/i, 'say what was expected'],
  [/\bnobody\b|\bwhoever\b|\bsomebody\b/i, 'name who'],
  [/\bleft out where\b|\bwhere it is left out\b|\bthe usual\b/i, 'default'],
  [/\bby then\b|\bas long as\b|\ba moment ago\b/i, 'a number or a name'],
  [/\bwork(?:s|ed)? out\b|\bcomes? to\b|\bmakes? of\b/i, 'evaluate, compute'],
  [/\btold (?:of|as|once)\b|\btells? of\b|\bis told\b/i, 'report'],
  [/\bhangs? on\b|\bleads? over\b|\bholds? up\b/i, 'attached to, routes through'],
  [/\bout of order\b|\bcannot be spared\b/i, 'failed, down'],
  [/\bin a circle\b|\bwait(?:s|ing)? for one another\b/i, 'cyclic channel dependency'],
  [/\bworms?\b|\bsleepers?\b|\bdetours?\b/i, 'packet; blocked packet; route'],
  [/\bcables? side by side\b|\bways? of a cable\b/i, 'parallel links; directed link'],
  [/\bleast possible\b|\bno mapping can beat\b|\bnothing left to gain\b/i, 'lower bound, optimal'],
  [/\bfigures? of\b(?! (?:papers|a paper))|\bwhat it costs\b/i, 'metric; diagram'],
  [/\bstrewn\b|\blies idle\b|\bfrom anybody\b/i, 'the textbook term'],
];
