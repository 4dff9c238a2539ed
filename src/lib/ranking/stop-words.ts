/**
 * Words that say nothing about what is wanted: articles, pronouns, auxiliaries, politeness. Language data only,
 * for English and Japanese. Prepositions that carry a role for arguments are dropped here too, because ranking
 * asks what a request is about, not who does what in it.
 */
const ENGLISH = `
a an the this that these those there here it its it's he she they them their his her hers him i me my mine you
your yours we us our ours myself yourself am is are was were be been being do does did doing done don't doesn't
didn't have has had having haven't can can't cannot could couldn't will won't would wouldn't shall should may
might must not no nor and or but if then than so as at by for from in into of off on onto out over to too up
down with without within about above below under after before between during through until upon what what's
which who whom whose when where why how i'm i'd i'll i've you're we're they're isn't aren't wasn't let let's lets
please kindly thanks thank hi hello hey want wants wanted need needs needed like would know tell give gives
help helps helping just also very much many more most some any all each every both few other another such only
own same again once ever never really quite able way ways thing things something anything someone anyone lot
lots got get gets getting using use used uses make makes made going go goes come comes say says said etc eg ie
s t d ll m re ve looking try trying tried see sure ok okay yes could currently possible good great best
`;

const JAPANESE = `
する した して します しました したい しろ せよ ください くだ さい 下さい です ます でした ました でしょう だ である
ある いる なる れる られる せる さ し す の は が を に へ と で も や から まで より など か ね よ て た ない
この その あの どの これ それ あれ どれ ここ そこ あそこ どこ こと もの ため よう とき いただ けます おねが お願い
お 御 ほしい 欲しい たい みたい くれ くれる あげる もらう という について 関する 対する 第 教え 教えて 知り 知りたい 見せて 願 私 わたし 僕 何 なに いくつ どう
`;

const WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${JAPANESE}`.split(/\s+/).filter(Boolean));

export function isStopWord(word: string): boolean {
  return WORDS.has(word);
}
