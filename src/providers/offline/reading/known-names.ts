/**
 * Names that everybody knows, from the runtime's own tables (Intl): countries, languages, currencies; and the
 * states of the USA, which no table there has. Built on first use, because most requests need none.
 */
const STATES =
  "Alabama:AL Alaska:AK Arizona:AZ Arkansas:AR California:CA Colorado:CO Connecticut:CT Delaware:DE Florida:FL Georgia:GA Hawaii:HI Idaho:ID Illinois:IL Indiana:IN Iowa:IA Kansas:KS Kentucky:KY Louisiana:LA Maine:ME Maryland:MD Massachusetts:MA Michigan:MI Minnesota:MN Mississippi:MS Missouri:MO Montana:MT Nebraska:NE Nevada:NV New_Hampshire:NH New_Jersey:NJ New_Mexico:NM New_York:NY North_Carolina:NC North_Dakota:ND Ohio:OH Oklahoma:OK Oregon:OR Pennsylvania:PA Rhode_Island:RI South_Carolina:SC South_Dakota:SD Tennessee:TN Texas:TX Utah:UT Vermont:VT Virginia:VA Washington:WA West_Virginia:WV Wisconsin:WI Wyoming:WY";
const COUNTRY_NICKNAMES =
  "usa:US us:US u.s.:US u.s.a.:US u.s:US america:US united_states_of_america:US uk:GB u.k.:GB england:GB scotland:GB wales:GB britain:GB great_britain:GB korea:KR russia:RU vietnam:VN czech_republic:CZ アメリカ:US イギリス:GB 韓国:KR";
const LANGUAGES =
  "en ja zh ko fr de es it pt ru ar hi bn nl sv da no fi pl cs el he tr th vi id ms uk ro hu bg hr sr sk sl lt lv et ta te ur fa sw la mn ne my km lo ga is";
const CURRENCY_NAMES =
  "dollar:USD dollars:USD us_dollar:USD us_dollars:USD american_dollars:USD united_states_dollar:USD united_states_dollars:USD ドル:USD 米ドル:USD euro:EUR euros:EUR ユーロ:EUR yen:JPY 円:JPY 日本円:JPY pound:GBP pounds:GBP british_pounds:GBP ポンド:GBP rupee:INR rupees:INR yuan:CNY won:KRW ウォン:KRW franc:CHF francs:CHF peso:MXN pesos:MXN ruble:RUB rubles:RUB";

/** Large cities whose state nobody has to be told. */
const CITIES =
  "New_York:NY New_York_City:NY Los_Angeles:CA Chicago:IL Houston:TX Phoenix:AZ Philadelphia:PA San_Antonio:TX San_Diego:CA Dallas:TX Austin:TX San_Jose:CA San_Francisco:CA Seattle:WA Denver:CO Boston:MA Nashville:TN Detroit:MI Las_Vegas:NV Memphis:TN Baltimore:MD Milwaukee:WI Atlanta:GA Miami:FL Minneapolis:MN Honolulu:HI Oakland:CA Sacramento:CA New_Orleans:LA Cleveland:OH Pittsburgh:PA Cincinnati:OH Orlando:FL Tampa:FL Salt_Lake_City:UT Indianapolis:IN Charlotte:NC Oklahoma_City:OK Albuquerque:NM Palo_Alto:CA Berkeley:CA Brooklyn:NY Manhattan:NY";

/** Name → code, built on first use. */
let countries: ReadonlyMap<string, string> | undefined;
let languages: ReadonlyMap<string, string> | undefined;
let currencies: ReadonlyMap<string, string> | undefined;
let states: ReadonlyMap<string, string> | undefined;
let cities: ReadonlyMap<string, string> | undefined;

export function isCountry(name: string): boolean {
  return countryCode(name) !== undefined;
}

/** The ISO code of a country by its English or Japanese name. */
export function countryCode(name: string): string | undefined {
  countries ??= new Map([...regionNames("ja"), ...regionNames("en"), ...entries(COUNTRY_NICKNAMES)]);
  return countries.get(plain(name));
}

export function isLanguage(name: string): boolean {
  return languageCode(name) !== undefined;
}

export function languageCode(name: string): string | undefined {
  if (languages === undefined) {
    const table = new Map<string, string>();
    for (const locale of ["ja", "en"]) {
      const names = new Intl.DisplayNames(locale, { type: "language" });
      for (const code of LANGUAGES.split(" ")) table.set(plain(names.of(code) ?? code), code);
    }
    languages = table;
  }
  return languages.get(plain(name));
}

/** The ISO code of a currency by name or code. */
export function currencyCode(name: string): string | undefined {
  if (currencies === undefined) {
    const names = new Intl.DisplayNames("en", { type: "currency" });
    const table = new Map<string, string>();
    for (const code of Intl.supportedValuesOf("currency")) {
      const long = plain(names.of(code) ?? code);
      for (const spelling of [code.toLowerCase(), long, `${long}s`]) table.set(spelling, code);
    }
    currencies = new Map([...table, ...entries(CURRENCY_NAMES)]);
  }
  return currencies.get(plain(name));
}

/** The two letters of a state of the USA by its name, or those letters themselves. */
export function stateCode(name: string): string | undefined {
  states ??= new Map(
    entries(STATES).flatMap(([long, code]) => [[long, code] as const, [code, code] as const]),
  );
  return states.get(plain(name)) ?? states.get(name);
}

/** "Boston" → "Boston, MA"; undefined for a city that is not plainly in one state. */
export function cityWithState(name: string): string | undefined {
  cities ??= new Map(entries(CITIES));
  const state = cities.get(plain(name));
  return state === undefined ? undefined : `${name}, ${state}`;
}

function regionNames(locale: string): readonly (readonly [string, string])[] {
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
  const found: (readonly [string, string])[] = [];
  for (let first = 65; first <= 90; first += 1)
    for (let second = 65; second <= 90; second += 1) {
      const code = String.fromCharCode(first, second);
      const name = names.of(code);
      if (name !== undefined && !RETIRED.has(code)) found.push([plain(name), code]);
    }
  return found;
}

/** Codes that Intl still names after the country that has another now. */
const RETIRED = new Set("BU DD FX NT QU SU TP UK YD YU ZR AN CS DY HV NH RH VD".split(" "));

function entries(table: string): readonly (readonly [string, string])[] {
  return table.split(/\s+/).flatMap((entry) => {
    const [name, code] = entry.split(":");
    return name === undefined || code === undefined
      ? []
      : [[plain(name.replaceAll("_", " ")), code] as const];
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/^the /, "").trim();
}
