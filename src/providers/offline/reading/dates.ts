/**
 * Dates and times of day in a request, English and Japanese, absolute and relative, and how a parameter wants
 * them written. A date keeps what was said: no year is invented before a format asks for one.
 */
export interface CalendarDate {
  /** "today", "next Monday": the words say no year, month or day. */
  readonly relative?: boolean;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
}

export interface DateSpan {
  readonly start: number;
  readonly end: number;
  readonly date: CalendarDate;
}

export interface TimeSpan {
  readonly start: number;
  readonly end: number;
  readonly time: ClockTime;
}

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(\\d{4})";

type Reader = (match: RegExpExecArray, now: Date) => CalendarDate | undefined;

/** Tried in order; an earlier one keeps its characters. */
const FORMS: readonly (readonly [RegExp, Reader])[] = [
  [
    /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g,
    (m) => valid(m[1], m[3], m[4]),
  ],
  [
    /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/g,
    (m) => valid(m[4], m[1], m[3]) ?? valid(m[4], m[3], m[1]),
  ],
  [
    new RegExp(`\\b${MONTH}[.,]?\\s*${DAY}(?:\\s*,\\s*|\\s+)${YEAR}\\b`, "gi"),
    (m) => valid(m[3], month(m[1]), m[2]),
  ],
  [
    new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH}[.,]?\\s*,?\\s*${YEAR}\\b`, "gi"),
    (m) => valid(m[3], month(m[2]), m[1]),
  ],
  [new RegExp(`\\b${YEAR},?\\s+${MONTH}[.,]?\\s+${DAY}\\b`, "gi"), (m) => valid(m[1], month(m[2]), m[3])],
  [/(\d{4})年(\d{1,2})月(\d{1,2})日/g, (m) => valid(m[1], m[2], m[3])],
  [/(\d{1,2})月(\d{1,2})日/g, (m) => partial({ month: Number(m[1]), day: Number(m[2]) })],
  [/(\d{4})年(\d{1,2})月/g, (m) => partial({ year: Number(m[1]), month: Number(m[2]) })],
  [
    new RegExp(`\\b${MONTH}[.,]?\\s+${YEAR}\\b`, "gi"),
    (m) => partial({ year: Number(m[2]), month: month(m[1]) }),
  ],
  [
    new RegExp(`\\b${MONTH}[.]?\\s+${DAY}\\b`, "gi"),
    (m) => partial({ month: month(m[1]), day: Number(m[2]) }),
  ],
  [
    new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH}\\b`, "gi"),
    (m) => partial({ month: month(m[2]), day: Number(m[1]) }),
  ],
  [/\b(the day after tomorrow|the day before yesterday|today|tomorrow|yesterday|tonight)\b/gi, relative],
  [/(明後日|明々後日|一昨日|今日|本日|明日|昨日)/g, relative],
  [
    /\b(next|this|coming|upcoming|last)\s+(sunday|monday|tuesday|wednesday|thursday|friday|saturday)\b/gi,
    weekday,
  ],
  [new RegExp(`\\b(?:in|of|for|during|since|until)\\s+${MONTH}\\b`, "gi"), (m) => ({ month: month(m[1]) })],
];

const TIMES: readonly RegExp[] = [
  /(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]\.?m\.?)?(?![\d:])/gi,
  /(?<![\d:.])(\d{1,2})()\s*([ap]\.?m\b\.?)/gi,
  /(午前|午後)?(\d{1,2})時(?:(\d{1,2})分|(半))?(?!間)/g,
];

export function findDates(text: string, now: Date): readonly DateSpan[] {
  const found: DateSpan[] = [];
  for (const [pattern, read] of FORMS)
    for (const match of text.matchAll(pattern)) {
      const date = read(match, now);
      if (date === undefined) continue;
      // "in May": the preposition belongs to the sentence, not to the date.
      const lead = /^(?:in|of|for|during|since|until)\s+/i.exec(match[0])?.[0].length ?? 0;
      const start = match.index + lead;
      const end = match.index + match[0].length;
      if (!found.some((other) => start < other.end && other.start < end)) found.push({ start, end, date });
    }
  return found.map((span) => ({ ...span, date: withYear(span.date, found) }));
}

/** "from 2023 April 4th to April 8th": a date without a year is in the year of the one beside it. */
function withYear(date: CalendarDate, all: readonly DateSpan[]): CalendarDate {
  if (date.year !== undefined || date.day === undefined) return date;
  const year = all.find((other) => other.date.year !== undefined && other.date.relative !== true)?.date.year;
  return year === undefined ? date : { ...date, year };
}

export function findTimes(text: string): readonly TimeSpan[] {
  const found: TimeSpan[] = [];
  for (const pattern of TIMES)
    for (const match of text.matchAll(pattern)) {
      const time = readTime(match);
      const start = match.index;
      const end = start + match[0].trimEnd().length;
      if (time === undefined || found.some((other) => start < other.end && other.start < end)) continue;
      found.push({ start, end, time });
    }
  return found;
}

function readTime(match: RegExpExecArray): ClockTime | undefined {
  const japanese = match[0].includes("時");
  const hour = Number(japanese ? match[2] : match[1]);
  const minute = japanese ? (match[4] === undefined ? Number(match[3] ?? 0) : 30) : Number(match[2] || 0);
  const half = (japanese ? match[1] : match[3])?.toLowerCase().replaceAll(".", "");
  if (hour > 24 || minute > 59) return undefined;
  if ((half === "pm" || half === "午後") && hour < 12) return { hour: hour + 12, minute };
  if ((half === "am" || half === "午前") && hour === 12) return { hour: 0, minute };
  return { hour, minute };
}

function valid(year: string | undefined, monthOf: string | number | undefined, day: string | undefined) {
  return partial({ year: Number(year), month: Number(monthOf), day: Number(day) });
}

function partial(date: CalendarDate): CalendarDate | undefined {
  const { month: m = 1, day = 1 } = date;
  return m >= 1 && m <= 12 && day >= 1 && day <= 31 ? date : undefined;
}

function month(name: string | undefined): number {
  const beginning = (name ?? "").slice(0, 3).toLowerCase();
  return MONTHS.findIndex((word) => word.startsWith(beginning)) + 1;
}

const RELATIVE_DAYS: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  今日: 0,
  本日: 0,
  tomorrow: 1,
  明日: 1,
  "the day after tomorrow": 2,
  明後日: 2,
  明々後日: 3,
  yesterday: -1,
  昨日: -1,
  "the day before yesterday": -2,
  一昨日: -2,
};

function relative(match: RegExpExecArray, now: Date): CalendarDate | undefined {
  const days = RELATIVE_DAYS[(match[1] ?? "").toLowerCase()];
  return days === undefined ? undefined : shift(now, days);
}

function weekday(match: RegExpExecArray, now: Date): CalendarDate {
  const wanted = WEEKDAYS.indexOf((match[2] ?? "").toLowerCase());
  const ahead = (wanted - now.getDay() + 7) % 7;
  if ((match[1] ?? "").toLowerCase() === "last") return shift(now, ahead === 0 ? -7 : ahead - 7);
  return shift(now, ahead === 0 ? 7 : ahead);
}

function shift(now: Date, days: number): CalendarDate {
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return { relative: true, year: then.getFullYear(), month: then.getMonth() + 1, day: then.getDate() };
}

/** How a description wants dates: "YYYY-MM-DD", "mm/dd/yyyy", "month-day-year" … Undefined when it does not say. */
export function dateFormatOf(description: string): string | undefined {
  const plain = description.toLowerCase();
  const letters = /\b(y{2,4}|m{2}|d{2})([-/. ]?)(m{2}|d{2})([-/. ]?)(y{2,4}|d{2})\b/.exec(plain);
  if (letters !== null) return letters[0];
  const names = /\b(year|month|day)([-/])(month|day)([-/])(year|day)\b/.exec(plain);
  if (names !== null) return names[0].replace("year", "yyyy").replace("month", "mm").replace("day", "dd");
  if (/iso[- ]?8601/.test(plain)) return "yyyy-mm-dd";
  const example = /\b\d{4}-\d{2}-\d{2}\b|\b\d{2}\/\d{2}\/\d{4}\b|\b\d{2}-\d{2}-\d{4}\b/.exec(plain)?.[0];
  if (example === undefined) return undefined;
  if (/^\d{4}/.test(example)) return "yyyy-mm-dd";
  return example.includes("/") ? "mm/dd/yyyy" : "mm-dd-yyyy";
}

export function writeDate(date: CalendarDate, format: string, now: Date): string {
  const year = date.year ?? now.getFullYear();
  const two = (value: number) => String(value).padStart(2, "0");
  return format
    .replace(/y{3,4}/, String(year))
    .replace(/y{2}/, two(year % 100))
    .replace(/m{2}/, two(date.month ?? 1))
    .replace(/d{2}/, two(date.day ?? 1));
}
