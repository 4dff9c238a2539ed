/**
 * What kind of thing a parameter means, by the words of its name and description. A table of general words, no
 * tool's own: "city" means a place whoever asks for it.
 */
import type { JsonObject } from "../../../conversation/index.ts";

export type Kind =
  | "place"
  | "city"
  | "state"
  | "country"
  | "person"
  | "organisation"
  | "date"
  | "time"
  | "year"
  | "language"
  | "currency"
  | "unit"
  | "url"
  | "email"
  | "path"
  | "identifier"
  | "query"
  | "topic"
  | "title"
  | "text"
  | "command"
  | "expression"
  | "category"
  | "money"
  | "rate"
  | "count"
  | "duration"
  | "color"
  | "cursor";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** By a word of the name. */
const BY_NAME: readonly (readonly [Kind, ReadonlySet<string>])[] = [
  [
    "place",
    words(
      "location place city town state province country county region area address destination origin venue neighborhood district zip zipcode airport station jurisdiction nation continent where site locality 場所 都市 地域 住所",
    ),
  ],
  ["city", words("city town 都市")],
  ["state", words("state province")],
  ["country", words("country nation countries 国")],
  [
    "person",
    words(
      "person author artist actor actress director player singer composer musician lawyer doctor president leader politician scientist athlete employee patient customer recipient founder character celebrity user username painter writer owner contact scholar 人物 著者",
    ),
  ],
  [
    "organisation",
    words(
      "company organization organisation team club brand university school bank employer airline institution league museum hotel restaurant store manufacturer agency college band",
    ),
  ],
  ["date", words("date day birthday birthdate deadline dob checkin checkout 日付")],
  ["time", words("time hour clock 時刻")],
  ["year", words("year season 年")],
  ["language", words("language lang locale 言語")],
  ["currency", words("currency currencies 通貨")],
  ["unit", words("unit units measurement measure 単位")],
  ["url", words("url uri link website webpage domain href endpoint")],
  ["email", words("email mail recipient")],
  ["path", words("path file filename filepath directory folder dir パス ファイル")],
  [
    "identifier",
    words(
      "id identifier code ticker symbol isbn sku phone token hash docket uuid serial barcode zipcode postal number key channel tag hashtag handle 番号",
    ),
  ],
  ["query", words("query q search keyword keywords question prompt term terms phrase pattern 検索")],
  ["topic", words("topic subject theme field interest issue crime about specialty specialization expertise")],
  [
    "title",
    words(
      "title name book movie song game album film show recipe product item artwork painting 名 名前 題名",
    ),
  ],
  [
    "text",
    words("text message content body sentence comment note description paragraph string document 本文 文章"),
  ],
  ["command", words("command cmd script shell コマンド")],
  ["expression", words("function equation expression formula polynomial 式")],
  [
    "category",
    words(
      "type genre category style kind class cuisine color colour size material species breed mode method model format level status gender sector industry platform era period instrument season topic",
    ),
  ],
  [
    "money",
    words(
      "price cost amount budget salary income investment principal principle payment revenue balance fee rent loan money dollars usd deposit wage value equity dividend dividends cash profit expense payout fare",
    ),
  ],
  [
    "rate",
    words(
      "rate percentage percent ratio probability interest yield growth discount tax alpha confidence return prob p",
    ),
  ],
  ["count", words("count limit number num top n max results rows pages 件数")],
  ["duration", words("duration days weeks months years hours minutes seconds period timeframe length")],
  ["color", words("color colour 色")],
  ["cursor", words("cursor page offset token continuation")],
];

/** `year1_revenue` is money and no year: these kinds go by the last word alone. */
const HEAD_ONLY: ReadonlySet<Kind> = new Set(["year", "date", "time", "unit", "language", "text", "query"]);

/** By the description, where the name alone is silent. */
const BY_DESCRIPTION: readonly (readonly [Kind, RegExp])[] = [
  [
    "place",
    /\b(?:city|location|country|state|county|place|region)\b|(?<!(?:mail|ip|web|url) )\baddress\b|場所|都市|住所/i,
  ],
  ["city", /\bcity\b/i],
  ["state", /\bthe (?:u\.?s\.? )?state\b/i],
  ["country", /\bcountry\b/i],
  ["date", /\bdate\b|日付/i],
  ["url", /\bURLs?\b|\bURI\b/],
  ["path", /\bpath\b|ファイルのパス/i],
  ["email", /\be-?mail address(?:es)?\b/i],
  ["color", /\bcolou?r\b/i],
  ["identifier", /\b(?:unique )?(?:id|identifier)\b/i],
  ["person", /\b(?:person|author|artist|actor|player|individual)\b/i],
  ["organisation", /\b(?:company|organization|team)\b/i],
  ["money", /\b(?:dollars|usd|price|cost|amount of money|budget)\b/i],
  ["rate", /\b(?:rate|percentage|probability)\b/i],
  ["year", /\byear\b/i],
  ["language", /\blanguage\b/i],
  ["currency", /\bcurrency\b/i],
  ["category", /\b(?:type|kind|category|genre|style) of\b/i],
  ["title", /\b(?:name|title) of\b/i],
  ["text", /^(?:what to|the text|text to|the message|the content)\b/i],
  ["expression", /\b(?:mathematical function|equation|formula)\b/i],
];

export function kindsOf(
  pieces: readonly string[],
  description: string,
  schema: JsonObject,
): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  const head = pieces.filter((piece) => !/^\d+$/.test(piece)).at(-1) ?? "";
  for (const [kind, table] of BY_NAME)
    if (HEAD_ONLY.has(kind) ? table.has(head) : pieces.some((piece) => table.has(piece))) kinds.add(kind);
  const silent = kinds.size === 0 || [...kinds].every((kind) => kind === "title" || kind === "identifier");
  if (silent) {
    const sentence = description.split(/[.(]/)[0] ?? "";
    for (const [kind, pattern] of BY_DESCRIPTION) if (pattern.test(sentence)) kinds.add(kind);
  }
  if (
    /^(?:destination|origin|location|target|source)$/.test(head) &&
    /\b(?:path|file|folder|directory)\b/i.test(description)
  ) {
    kinds.delete("place");
    kinds.add("path");
  }
  // `file_text` is text; `file_name` is a path.
  if (kinds.has("text")) kinds.delete("path");
  if (pieces.includes("per")) for (const kind of ["year", "date", "time"] as const) kinds.delete(kind);
  const format = schema["format"];
  if (format === "date" || format === "date-time") kinds.add("date");
  if (format === "time") kinds.add("time");
  if (format === "uri" || format === "url") kinds.add("url");
  if (format === "email") kinds.add("email");
  if (/\bcity\b/i.test(description) && kinds.has("place")) kinds.add("city");
  return kinds;
}
