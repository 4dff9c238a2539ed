/**
 * The closed classes of English, and the verbs with which people ask: what ends a noun phrase, and what cannot
 * be a value by itself. Data only; which class means what is decided where it is used.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

export const PREPOSITIONS = words(`
in on at to from for of by with about into near around within over under between among against during after
before since until till via through across along as per regarding concerning like without inside outside
towards toward onto upon above below beyond behind beside besides than versus vs throughout
`);

export const DETERMINERS = words(`
a an the this that these those my your his her its our their any some all each every no both either neither
another other such what which whose several many much more most few
`);

export const CONJUNCTIONS = words(
  "and or but nor so if while because although though unless whereas then also plus",
);

export const PRONOUNS = words(`
i me you he him she it we us they them myself yourself itself themselves mine yours ours theirs who whom
someone anyone everyone something anything everything one there here
`);

export const AUXILIARIES = words(`
is are was were be been being am do does did done has have had having can could will would shall should may
might must isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't i'm i'd i'll
i've it's what's who's let's that's there's where's how's let
`);

export const QUESTION_WORDS = words("what which who whom whose when where why how");

export const ADVERBS = words(`
please kindly now right currently today just also only very too really exactly approximately about roughly
nearly almost still already again soon later immediately directly instead together currently not never always
usually out up down off away back well
`);

/** Verbs with which people ask and join: in any form they end a noun phrase. */
const PLAIN_VERBS = forms(`
find get give tell calculate compute determine identify provide retrieve fetch generate predict analyze analyse
compare convert translate solve perform obtain suggest recommend locate discover explain describe summarize
summarise delete remove insert send include exclude consider assume contain involve occur happen want know see go
take bring become seem mean say ask gather collect evaluate assess specify contribute belong
`);

/** Nouns as often as verbs: verbs only where a verb must stand. */
const DOUBTFUL_VERBS = forms(`
show create make write list search look check book order buy sell play plot draw sort run train update add set use
plan schedule reserve count start begin stop open close read print save load work travel drive cost offer serve
host hold report visit test help cover mix switch study invent propose publish win score lose direct release star
feature carry raise invest live arrange adjust apply estimate display need like return measure watch stay move
rent specialize publish name call title label base locate relate file allow accommodate support follow increase
decrease reduce produce consume weigh switch fall drop accelerate
`);

/** Given to a word by others, never by itself a value: "based on", "according to". */
const PARTICIPLES = words(`
given based located related called named titled entitled labelled labeled filed made starring according including
excluding using used won held took got gave found wrote written sold bought built led lost sent spent taught
went came saw known shown ranked played interested looking trying going able specializing specialising numbered identified
`);

const BEFORE_VERBS = words(`
to please can could you i we they who that which will would should may might must not don't doesn't didn't let's
and then it he she
`);

/** Whether the word is a verb where it stands. `previous` is the word before it, if any. */
export function isVerb(lower: string, previous: string | undefined): boolean {
  if (PLAIN_VERBS.has(lower) || PARTICIPLES.has(lower)) return true;
  if (!DOUBTFUL_VERBS.has(lower)) return false;
  if (previous === undefined) return true;
  if (/(?:ed|ing)$/.test(lower))
    return !DETERMINERS.has(previous) && !/est$/.test(previous) && previous !== "of";
  return BEFORE_VERBS.has(previous);
}

/** What ends a noun phrase. */
export function endsPhrase(lower: string, previous: string | undefined): boolean {
  return (
    PREPOSITIONS.has(lower) ||
    CONJUNCTIONS.has(lower) ||
    PRONOUNS.has(lower) ||
    AUXILIARIES.has(lower) ||
    QUESTION_WORDS.has(lower) ||
    ADVERBS.has(lower) ||
    DETERMINERS.has(lower) ||
    isVerb(lower, previous)
  );
}

/** play → play, plays, played, playing; make → making; plan → planned, planning; try → tries, tried. */
function forms(text: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const verb of words(text)) {
    all.add(verb);
    const bare = verb.replace(/e$/, "");
    const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(verb) ? `${verb}${verb.at(-1)}` : undefined;
    for (const ending of ["ed", "ing"]) all.add(`${bare}${ending}`);
    if (doubled !== undefined) for (const ending of ["ed", "ing"]) all.add(`${doubled}${ending}`);
    if (/[^aeiou]y$/.test(verb))
      for (const ending of ["ies", "ied"]) all.add(`${verb.slice(0, -1)}${ending}`);
    all.add(/(?:s|x|ch|sh|z|o)$/.test(verb) ? `${verb}es` : `${verb}s`);
  }
  return all;
}
