/**
 * How likely a decoded text is in the language of its encoding, between about -1 and 1 for each letter outside ASCII.
 * Bytes of one encoding often decode in another; the result is then rare letters, never the common ones.
 */
export type ScoredEncoding = "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";

/** The commonest letters of each script, enough to tell a sentence from noise. */
const COMMON_JAPANESE = new Set(
  "日一人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨" +
    "会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢" +
    "数値設定処理関変引返列型式値配呼実要素検索追加削除更対象指保存接続条件結果初期化例表示全部取得済最終付必無合成和集",
);
const COMMON_SIMPLIFIED = new Set(
  "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏响备" +
    "函码类型返参默认配置测试输执错误",
);
const COMMON_TRADITIONAL = new Set(
  "的一是不了人我在有他這為之大來以個中上們到說國和地也子時道出而要於就下得可你年生自會那後能對著事其里所去行過家十用發天如然作方成者多日都三小軍二無同麼經法當起與好看學進種將還分此心前面又定見只主沒公從" +
    "今回很已機些長把前樣理開間點意問動現實文明高電話新手使力水本系體統資料處數程式檔案設值型類錯誤輸請選擇確認執函",
);

export function letterScore(text: string, encoding: ScoredEncoding): number {
  let letters = 0;
  let score = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) {
      // Controls do not stand in text, whatever the encoding.
      if (code < 9 || (code > 13 && code < 0x20 && code !== 0x1b)) score -= 1;
      continue;
    }
    letters += 1;
    score += SCORES[encoding](code, text[i] as string);
  }
  return letters === 0 ? 0 : score / letters;
}

const SCORES: Record<ScoredEncoding, (code: number, letter: string) => number> = {
  shift_jis: japanese,
  "euc-jp": japanese,
  gb18030: (code, letter) => chinese(code, letter, COMMON_SIMPLIFIED),
  big5: (code, letter) => chinese(code, letter, COMMON_TRADITIONAL),
  "euc-kr": korean,
};

function japanese(code: number, letter: string): number {
  if (isKana(code)) return 1;
  if (isIdeograph(code)) return COMMON_JAPANESE.has(letter) ? 1 : 0.35;
  // Half-width kana are what other double-byte texts turn into under Shift_JIS.
  if (code >= 0xff61 && code <= 0xff9f) return -0.3;
  return punctuation(code);
}

function chinese(code: number, letter: string, common: ReadonlySet<string>): number {
  if (isIdeograph(code)) return common.has(letter) ? 1 : 0.3;
  // Both Chinese sets contain kana, and Chinese texts do not.
  if (isKana(code)) return -0.3;
  return punctuation(code);
}

function korean(code: number, _letter: string): number {
  if (code >= 0xac00 && code <= 0xd7a3) return 1;
  if (isIdeograph(code)) return 0;
  if (isKana(code)) return -0.5;
  return punctuation(code);
}

function punctuation(code: number): number {
  if (code >= 0x3000 && code <= 0x303f) return 1;
  if (code >= 0xff01 && code <= 0xff5e) return 0.8;
  if (code >= 0x2010 && code <= 0x2027) return 0.5;
  if (code >= 0x2460 && code <= 0x25ff) return 0.4;
  if (code >= 0xe000 && code <= 0xf8ff) return -2;
  if (code >= 0x00a1 && code <= 0x00ff) return -0.2;
  return -0.5;
}

function isKana(code: number): boolean {
  return code >= 0x3041 && code <= 0x30fe;
}

function isIdeograph(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff;
}
