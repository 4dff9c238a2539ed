/**
 * Units of measure: what dimension a unit word has, and how one is turned into another of the same dimension.
 * Only units that convert by a factor are here, plus the names of scales (celsius) that never convert by one.
 */
export interface Unit {
  readonly name: string;
  readonly dimension: string;
  /** In the dimension's base unit; undefined where no factor converts (temperatures, currencies). */
  readonly factor: number | undefined;
}

/** dimension: name=factor spelling spelling … */
const TABLE = `
length m=1 meter meters metre metres メートル
length km=1000 kilometer kilometers kilometre kilometres キロメートル
length cm=0.01 centimeter centimeters centimetre centimetres センチ センチメートル
length mm=0.001 millimeter millimeters ミリ
length inch=0.0254 inches in
length ft=0.3048 foot feet
length yard=0.9144 yards yd
length mile=1609.344 miles mi マイル
length lightyear=9.4607e15 light-year light-years lightyears
mass kg=1 kilogram kilograms kilo kilos キログラム キロ
mass g=0.001 gram grams グラム
mass mg=0.000001 milligram milligrams
mass lb=0.45359237 lbs pound pounds
mass oz=0.028349523125 ounce ounces
mass tonne=1000 ton tons tonnes トン
time s=1 second seconds sec secs 秒 秒間
time min=60 minute minutes mins 分 分間
time hour=3600 hours hr hrs h 時間
time day=86400 days 日 日間
time week=604800 weeks 週 週間
time month=2629746 months ヶ月 か月 カ月
time year=31556952 years yr yrs 年 年間
time decade=315569520 decades
time century=3155695200 centuries 世紀
time ms=0.001 millisecond milliseconds msec
volume l=1 liter liters litre litres リットル
volume ml=0.001 milliliter milliliters
volume gallon=3.785411784 gallons
volume cup=0.2365882365 cups
area m2=1 m² m^2 sqm
area sqft=0.09290304 ft² ft^2
area acre=4046.8564224 acres
area hectare=10000 hectares
volume3 m3=1 m³ m^3
energy j=1 joule joules
energy kj=1000 kilojoule kilojoules
energy kwh=3600000
energy calorie=4.184 calories cal
energy kcal=4184
power w=1 watt watts
power kw=1000 kilowatt kilowatts
current a=1 ampere amperes amp amps
current ma=0.001 milliampere
voltage v=1 volt volts
resistance ohm=1 ohms Ω
charge coulomb=1 coulombs
capacitance f=1 farad farads
capacitance uf=0.000001 µf μf microfarad microfarads
capacitance nf=0.000000001
capacitance pf=0.000000000001
inductance h_=1 henry henries
inductance mh=0.001 millihenry millihenries
frequency hz=1 hertz
frequency khz=1000
frequency mhz=1000000
frequency ghz=1000000000
pressure pa=1 pascal pascals
pressure kpa=1000
pressure atm=101325 atmosphere atmospheres
pressure bar=100000
force n=1 newton newtons
amount mol=1 mole moles
data byte=1 bytes
data kb=1000 kilobyte kilobytes
data mb=1000000 megabyte megabytes
data gb=1000000000 gigabyte gigabytes
data tb=1000000000000 terabyte terabytes
temperature celsius=? °c ℃ degc 度
temperature fahrenheit=? °f ℉
temperature kelvin=? k_
speed km/h=? kmh kph kilometers/hour
speed m/s=? meters/second
speed mph=?
acceleration m/s^2=? m/s² meters/second^2
angle degree=? degrees
angle radian=? radians
money usd=? dollar dollars ドル
money eur=? euro euros ユーロ
money jpy=? yen 円
money gbp=?
`;

const UNITS: ReadonlyMap<string, Unit> = readTable();

function readTable(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  for (const line of TABLE.split("\n")) {
    const [dimension, definition, ...spellings] = line.split(" ");
    if (dimension === undefined || definition === undefined) continue;
    const at = definition.lastIndexOf("=");
    const name = definition.slice(0, at);
    const factor = Number(definition.slice(at + 1));
    const unit = { name, dimension, factor: Number.isNaN(factor) ? undefined : factor };
    for (const spelling of [name, ...spellings]) units.set(spelling, unit);
  }
  return units;
}

export function unitOf(word: string): Unit | undefined {
  return UNITS.get(word) ?? UNITS.get(word.toLowerCase());
}

/** Undefined where the two do not convert. Rounded to twelve digits, so that 100 µF are 0.0001 F. */
export function convertUnit(value: number, from: Unit, to: Unit): number | undefined {
  if (from.name === to.name) return value;
  if (from.dimension !== to.dimension || from.factor === undefined || to.factor === undefined)
    return undefined;
  const years = calendarFactor(from.name, to.name);
  return Number((years === undefined ? (value * from.factor) / to.factor : value * years).toPrecision(12));
}

/** People count a year as twelve months and a month as thirty days; seconds would give 30.4. */
function calendarFactor(from: string, to: string): number | undefined {
  const table: Readonly<Record<string, number>> = {
    "year>month": 12,
    "month>year": 1 / 12,
    "month>day": 30,
    "year>day": 365,
    "year>week": 52,
    "month>week": 4,
    "decade>year": 10,
    "century>year": 100,
  };
  return table[`${from}>${to}`];
}
