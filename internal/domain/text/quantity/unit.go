package quantity

import (
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// unit is a unit as it is written: how many of its base it is.
type unit struct {
	base   string
	factor Decimal
	vague  bool    // it may be another of its family
	other  Decimal // how many of its base it is in its other reading; 0 for none
}

// unitTable has a line for each unit: its base, how many of it the unit is, its symbols (as they are, behind digits
// only) and its words.
const unitTable = `
% 0.01 : %|٪|％ : percent pct percentage بالمئة بالمائة
‰ 0.001 : ‰ : permille
pp 0.01 : pp|ppt : percentage_point percentage_points نقطة_مئوية نقاط_مئوية نقطتان_مئويتان
bp 0.0001 : bp|bps : bps basis_point basis_points نقطة_أساس نقاط_أساس نقطتا_أساس
second 1 : s|sec : second seconds secs ثانية ثواني ثوان
second 0.001 : ms : millisecond milliseconds
second 60 : min|mins : minute minutes min mins دقيقة دقائق
second 3600 : h|hr|hrs : hour hours hr hrs ساعة ساعات
second 86400 : d : day days يوم يوما أيام
second 604800 : wk|wks : week weeks wk wks أسبوع أسبوعا أسابيع
second 1209600 : : fortnight fortnights
month 1 : : month months شهر شهرا أشهر شهور
month 12 : yr|yrs : year years yr yrs سنة سنوات سنين عام عاما أعوام
month 120 : : decade decades عقد عقدا عقود
month 1200 : : century centuries قرن قرنا قرون
m 1 : m|م : metre metres meter meters متر مترا أمتار
m 0.01 : cm|سم : centimetre centimetres centimeter centimeters سنتيمتر سنتيمترا سنتيمترات سنتمتر
m 0.001 : mm|ملم|مم : millimetre millimetres millimeter millimeters مليمتر مليمترا مليمترات ملليمتر
m 0.000001 : µm|μm : micrometre micrometres micrometer micrometers micron microns ميكرومتر
m 0.000000001 : nm : nanometre nanometres nanometer nanometers نانومتر
m 1000 : km|KM|كم|كلم : kilometre kilometres kilometer kilometers km kms كيلومتر كيلومترا كيلومترات
m 0.0254 : in|″ : inch inches بوصة بوصات
m 0.3048 : ft|′ : foot feet قدم قدما أقدام
m 0.9144 : yd : yard yards ياردة ياردات
m 1609.344 : mi : mile miles ميل ميلا أميال
m² 1 : m²|m2|sqm|م² : sqm square_metre square_metres square_meter square_meters متر_مربع مترا_مربعا أمتار_مربعة
m² 0.0001 : cm²|cm2 : square_centimetre square_centimetres square_centimeter square_centimeters
m² 1000000 : km²|km2|كم² : square_kilometre square_kilometres square_kilometer square_kilometers كيلومتر_مربع كيلومترا_مربعا كيلومترات_مربعة
m² 10000 : ha : hectare hectares هكتار هكتارا هكتارات
m² 1000 : : دونم دونما دونمات dunam dunams donum donums
m² 0.09290304 : sqft|ft²|ft2 : sqft square_foot square_feet قدم_مربع قدم_مربعة
m² 4046.8564224 : : acre acres فدان
m³ 1 : m³|m3|م³ : cubic_metre cubic_metres cubic_meter cubic_meters متر_مكعب مترا_مكعبا أمتار_مكعبة
m³ 0.001 : L|l : litre litres liter liters لتر لترا لترات ليتر
m³ 0.0001 : dl|dL : decilitre decilitres deciliter deciliters ديسيلتر ديسيلترا
m³ 0.00001 : cl|cL : centilitre centilitres centiliter centiliters
m³ 0.000001 : ml|mL|ML|cc|مل : millilitre millilitres milliliter milliliters مليلتر ملليلتر مليلترا
m³ 0.158987294928 : bbl : barrel barrels برميل برميلا براميل
m³ 0.003785411784 : gal : gallon~ gallons~ غالون~ جالون~
kg 1 : kg|Kg|KG|كغ|كجم|كغم : kilogram kilograms kilogramme kilogrammes kilo kilos كيلوغرام كيلوجرام كيلوغراما كيلوجراما كيلوغرامات كيلو
kg 0.001 : g|gm|غ|جم|غم : gram grams gramme grammes غرام جرام غراما جراما غرامات جرامات
kg 0.000001 : mg|ملغ|ملغم|ملجم : milligram milligrams milligramme مليغرام ملليغرام مليجرام ملليجرام ملغراما
kg 0.000000001 : µg|μg|mcg|ug : microgram micrograms ميكروغرام ميكروجرام
kg 1000 : t : tonne tonnes ton~ tons~ طن طنا أطنان
kg 0.45359237 : lb|lbs : lb lbs رطل رطلا أرطال
kg 0.028349523125 : oz : ounce ounces أونصة أونصات أوقية
°C 1 : ℃ : celsius centigrade degrees_celsius degree_celsius degrees_c degree_c درجة_مئوية درجات_مئوية مئوية
°F 1 : ℉ : fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f degree_f درجة_فهرنهايت درجات_فهرنهايت
K 1 : : kelvin kelvins
° 1 : : degree degrees درجة درجات
byte 1 : : byte bytes بايت
byte 1000 : KB|kB : kilobyte kilobytes كيلوبايت
byte 1000000 : MB : megabyte megabytes ميغابايت ميجابايت
byte 1000000000 : GB : gigabyte gigabytes غيغابايت جيجابايت
byte 1000000000000 : TB : terabyte terabytes تيرابايت
byte 1024 : KiB :
byte 1048576 : MiB :
byte 1073741824 : GiB :
bit 1 : : bit bits
bit 1000 : kbit|Kbit :
bit 1000000 : Mbit|Mb : megabit megabits
bit 1000000000 : Gbit|Gb : gigabit gigabits
bit/second 1000 : kbps|Kbps :
bit/second 1000000 : Mbps|mbps :
bit/second 1000000000 : Gbps|gbps :
m/hour 1000 : km/h|kph|kmh :
m/hour 1609.344 : mph :
W 1 : W : watt watts واط
W 0.001 : mW : milliwatt milliwatts
W 1000 : kW|KW : kilowatt kilowatts كيلوواط
W 1000000 : MW : megawatt megawatts ميغاواط ميجاواط
W 1000000000 : GW : gigawatt gigawatts غيغاواط جيجاواط
Wh 1 : Wh : watt_hour watt_hours
Wh 1000 : kWh|KWh : kilowatt_hour kilowatt_hours كيلوواط_ساعة
Wh 1000000 : MWh : megawatt_hour megawatt_hours ميغاواط_ساعة
Wh 1000000000 : GWh : gigawatt_hour gigawatt_hours
V 1 : V : volt volts فولت
V 0.001 : mV : millivolt millivolts
V 1000 : kV : kilovolt kilovolts
A 1 : : ampere amperes amp amps أمبير
Hz 1 : Hz : hertz هرتز
Hz 1000 : kHz : kilohertz
Hz 1000000 : MHz : megahertz
Hz 1000000000 : GHz : gigahertz
J 1 : J : joule joules
J 0.001 : mJ :
J 1000000 : MJ : megajoule megajoules
J 1000 : kJ : kilojoule kilojoules
cal 1 : cal : calorie calories سعرة سعرات
cal 1000 : kcal : kilocalorie kilocalories
N 1 : N : newton newtons نيوتن
N 1000 : kN : kilonewton kilonewtons كيلونيوتن
A 0.001 : mA : milliampere milliamperes
mmHg 1 : mmHg : ملم_زئبق مم_زئبق مليمتر_زئبق ملليمتر_زئبق
Pa 100 : hPa :
Pa 1 : Pa : pascal pascals باسكال
Pa 1000 : kPa : kilopascal kilopascals كيلوباسكال
Pa 1000000 : MPa : megapascal megapascals ميغاباسكال ميجاباسكال
Pa 100000 : bar : bar bars
dB 1 : dB : decibel decibels ديسيبل
ppm 1 : ppm : ppm
mol 1 : mol : mole moles
mol 0.001 : mmol : millimole millimoles
`

// currencyTable has a line for each currency: its code, its family, and the words that name it; ~ marks those that name
// another of the family too, which is then Vague.
const currencyTable = `
SAR riyal : sar sr riyal~ riyals~ ريال~ ريالا~ ريالات~ ريالان~
QAR riyal : qar qr
OMR riyal : omr
YER riyal : yer
IRR riyal : irr rial~ rials~
USD dollar : usd dollar~ dollars~ دولار~ دولارا~ دولارات~
AUD dollar : aud
CAD dollar : cad
SGD dollar : sgd
HKD dollar : hkd
NZD dollar : nzd
EUR euro : eur euro euros يورو
GBP pound : gbp sterling pounds~ pound~ إسترليني
EGP pound : egp جنيه~ جنيها~ جنيهات~
SDG pound : sdg
LBP pound : lbp ليرة~
AED dirham : aed dhs dh dirham~ dirhams~ درهم~ درهما~ دراهم~
MAD dirham : mad
dinar dinar : dinar~ dinars~ دينار~ دينارا~ دنانير~
KWD dinar : kwd kd
BHD dinar : bhd bd
JOD dinar : jod jd
IQD dinar : iqd
LYD dinar : lyd
TND dinar : tnd
JPY yen : jpy yen
CNY yuan : cny rmb yuan renminbi
INR rupee : inr rs rupee~ rupees~ روبية~
PKR rupee : pkr
CHF franc : chf franc~ francs~ فرنك~
TRY lira : try lira~ liras~
RUB rouble : rub rouble roubles ruble rubles
BRL real : brl
KRW won : krw won
SEK krona : sek
NOK krona : nok
DKK krona : dkk
PLN zloty : pln zloty
ZAR rand : zar rand
`

// countries names the country of an adjective, by which a vague currency is told.
var countries = func() map[string]string {
	out := map[string]string{}
	for country, list := range map[string]string{
		"US": "us u.s american أمريكي أمريكيا أميركي", "SA": "saudi سعودي سعوديا", "AE": "emirati uae إماراتي إماراتيا",
		"EG": "egyptian مصري مصريا", "KW": "kuwaiti كويتي كويتيا", "BH": "bahraini بحريني بحرينيا",
		"JO": "jordanian أردني أردنيا", "IQ": "iraqi عراقي عراقيا", "QA": "qatari قطري قطريا", "OM": "omani عماني عمانيا",
		"YE": "yemeni يمني يمنيا", "MA": "moroccan مغربي مغربيا", "TN": "tunisian تونسي تونسيا", "LY": "libyan ليبي ليبيا",
		"IR": "iranian إيراني إيرانيا", "AU": "australian أسترالي أستراليا", "CA": "canadian كندي كنديا",
		"IN": "indian هندي هنديا", "PK": "pakistani باكستاني باكستانيا", "GB": "british بريطاني إسترليني إسترلينيا",
		"TR": "turkish تركي تركيا",
		"LB": "lebanese لبناني لبنانيا", "SD": "sudanese سوداني سودانيا", "SG": "singapore", "NZ": "zealand", "HK": "kong",
		"CH": "swiss سويسري سويسريا", "JP": "japanese ياباني يابانيا", "CN": "chinese صيني صينيا",
	} {
		for w := range set(list) {
			out[w] = country
		}
	}
	return out
}()

// families names the family of each currency, and byCountry the currency of a family in a country.
var (
	families  = map[string]string{}
	currency  = map[string]string{} // family and country → code
	codes     = map[string]bool{}   // lower case, that may touch their number
	symbols   = map[string]unit{}
	unitWords = map[string]unit{}
	pairWords = map[string]map[string]unit{} // of two words
	duals     = map[string]unit{}
	unitsRead = readUnits()
)

// signs are currency signs, which come before or after their number.
var signs = map[rune]unit{'$': {base: "USD", factor: Whole(1), vague: true}, '€': {base: "EUR", factor: Whole(1),
	vague: false}, '£': {base: "GBP", factor: Whole(1), vague: true},
	'﷼': {base: "SAR", factor: Whole(1), vague: true}, '\u20c1': {base: "SAR", factor: Whole(1), vague: false},
	'¥': {base: "JPY", factor: Whole(1), vague: true}, '₹': {base: "INR", factor: Whole(1), vague: false},
	'₺': {base: "TRY", factor: Whole(1), vague: false}, '₽': {base: "RUB", factor: Whole(1), vague: false},
	'₩': {base: "KRW", factor: Whole(1), vague: false}, '\u20c3': {base: "AED", factor: Whole(1), vague: false}}

func readUnits() bool {
	for line := range strings.SplitSeq(strings.TrimSpace(unitTable), "\n") {
		field := strings.SplitN(line, ":", 3)
		head := strings.Fields(field[0])
		factor, ok := ParseDecimal(head[1])
		if !ok {
			panic("quantity: " + line)
		}
		u := unit{base: head[0], factor: factor}
		for s := range strings.SplitSeq(strings.TrimSpace(field[1]), "|") {
			if s != "" {
				symbols[s] = u
			}
		}
		for w := range strings.FieldsSeq(field[2]) {
			addUnit(w, u)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(currencyTable), "\n") {
		head, words, _ := strings.Cut(line, ":")
		field := strings.Fields(head)
		code, family := field[0], field[1]
		families[code] = family
		if len(code) == 3 {
			currency[family+" "+code[:2]] = code
			codes[strings.ToLower(code)] = true
		}
		for w := range strings.FieldsSeq(words) {
			addUnit(w, unit{base: code, factor: Whole(1)})
		}
	}
	for _, code := range []string{"sr", "kd", "bd", "jd", "qr", "dh", "dhs", "rs", "rmb"} {
		codes[code] = true
	}
	for list, u := range map[string]unit{
		"halala halalas هللة هللات هللا": {base: "SAR", factor: Decimal{1, -2}},
		"cent cents سنت سنتا سنتات":      {base: "USD", factor: Decimal{1, -2}, vague: true},
		"pence penny":                    {base: "GBP", factor: Decimal{1, -2}},
		"fils فلس فلسا فلوس":             {base: "AED", factor: Decimal{1, -2}, vague: true},
		"piastre piastres قرش قرشا قروش": {base: "EGP", factor: Decimal{1, -2}, vague: true},
	} {
		for w := range set(list) {
			unitWords[w], subunits[w] = u, u
		}
	}
	for w, list := range map[string]string{
		"دقيقة": "دقيقتان دقيقتين دقيقتا", "ساعة": "ساعتان ساعتين ساعتا", "يوم": "يومان يومين يوما_",
		"أسبوع": "أسبوعان أسبوعين",
		"شهر":   "شهران شهرين", "سنة": "سنتان سنتين عامان عامين", "ثانية": "ثانيتان ثانيتين", "عقد": "عقدان عقدين",
		"قرن": "قرنان قرنين", "ريال": "ريالان ريالين", "دولار": "دولاران دولارين", "درهم": "درهمان درهمين",
		"جنيه": "جنيهان جنيهين", "دينار": "ديناران دينارين", "متر": "متران مترين", "كيلومتر": "كيلومتران كيلومترين",
		"طن": "طنان طنين", "لتر": "لتران لترين", "كيلوغرام": "كيلوغرامان كيلوغرامين", "درجة": "درجتان درجتين",
		"هكتار": "هكتاران هكتارين", "برميل": "برميلان برميلين", "غرام": "غرامان غرامين", "ميل": "ميلان ميلين",
	} {
		for form := range strings.FieldsSeq(list) {
			duals[text.Fold(form)] = unitWords[text.Fold(w)]
		}
	}
	return true
}

// addUnit adds a word of a unit, or two joined by _.
func addUnit(w string, u unit) {
	w, u.vague = strings.TrimSuffix(w, "~"), strings.HasSuffix(w, "~")
	u.other = otherUnits[w]
	first, second, two := strings.Cut(w, "_")
	if first, second = text.Fold(first), text.Fold(second); !two {
		unitWords[first] = u
		return
	}
	if pairWords[first] == nil {
		pairWords[first] = map[string]unit{}
	}
	pairWords[first][second] = u
}

// otherUnits are units of one name and two sizes: tons and gallons.
var otherUnits = map[string]Decimal{"ton": {90718474, -5}, "tons": {90718474, -5}, "gallon": {454609, -8},
	"gallons": {454609, -8}}

// subunits are the hundredth or thousandth parts of a currency. A fils is of a dirham or a dinar.
var subunits = map[string]unit{}

// abbreviations are the two letters of an Arabic currency: ر.س.
var abbreviations = map[string]string{"رس": "SAR", "دا": "AED", "دك": "KWD", "جم": "EGP", "رق": "QAR", "رع": "OMR",
	"دب": "BHD"}

func isCurrency(base string) bool { return families[base] != "" }

// sorts are words for a kind of a unit, before it or, in Arabic, behind it.
var sorts = func() map[string]string {
	out := map[string]string{}
	for sort, list := range map[string]string{
		"working":  "working business عمل",
		"calendar": "calendar تقويمي تقويميا تقويمية",
		"":         "consecutive full paid additional more extra whole complete كامل كاملا كاملة إضافي إضافية متتالية متتال",
	} {
		for w := range set(list) {
			out[w] = sort
		}
	}
	return out
}()

// unitAt reads the unit at token i, which goes on from the number before it; words is set behind a number in words. It
// skips words for the kind of the unit.
func (r *reader) unitAt(i int, words bool) (u unit, end int, ok bool) {
	u, _, end, ok = r.unitSorted(i, words)
	return u, end, ok
}

func (r *reader) unitSorted(i int, words bool) (u unit, sort string, end int, ok bool) {
	country := ""
	for skipped := 0; i < len(r.tokens) && (r.near(i) || r.degree(i)); i++ {
		if u, end, ok = r.unitWord(i, words); ok {
			u, end = r.composed(u, end)
			sort, country, end = r.trailer(u, sort, country, end)
			if code := currency[families[u.base]+" "+country]; code != "" && u.vague {
				u.base, u.vague = code, false
			} else if code := currency["dinar "+country]; code != "" && u.vague && u.factor == (Decimal{1, -2}) &&
				u.base == "AED" {
				u.base, u.vague, u.factor = code, false, Decimal{1, -3} // fils
			}
			return u, sort, end, true
		}
		norm := r.norm(i)
		kind, known := sorts[norm]
		if kind != "" {
			sort = kind
		}
		if c := countries[norm]; c != "" {
			country, known = c, true
		}
		if norm == "s" && country == "" && r.norm(i-1) == "u" || norm == "u" && r.norm(i+1) == "s" {
			country, known = "US", true
		}
		if skipped++; skipped > 2 || !known {
			break
		}
	}
	return unit{}, "", 0, false
}

// degree reports whether a degree's sign is before token i: "18 °C".
func (r *reader) degree(i int) bool {
	return strings.Trim(r.gaps[i], " \u00a0\u202f") == "°" || strings.Trim(r.gaps[i], " \u00a0\u202f") == "º"
}

// unitWord reads one unit at token i.
func (r *reader) unitWord(i int, words bool) (u unit, end int, ok bool) {
	t := &r.tokens[i]
	if r.degree(i) {
		switch t.Norm {
		case "c", "م":
			return unit{base: "°C", factor: Whole(1), vague: false}, i + 1, true
		case "f", "ف":
			return unit{base: "°F", factor: Whole(1), vague: false}, i + 1, true
		}
		return unit{}, 0, false
	}
	if n := r.percentWords(i); n > 0 {
		return unit{base: "%", factor: Decimal{1, -2}, vague: false}, i + n, true
	}
	if code := abbreviations[t.Norm+r.norm(i+1)]; code != "" && i+1 < len(r.tokens) && r.gaps[i+1] == "." {
		return unit{base: code, factor: Whole(1)}, i + 2, true
	}
	if pairs := pairWords[t.Norm]; pairs != nil && (r.near(i+1) || r.degree(i+1)) {
		if u, ok = pairs[r.norm(i+1)]; ok {
			return u, i + 2, true
		}
	}
	if !words {
		if u, ok = symbols[t.Text]; ok && !r.isWordHere(i) {
			return u, i + 1, true
		}
	}
	if u, ok = unitWords[t.Norm]; ok && !(u.base == "pp" && words) {
		return u, i + 1, true
	}
	return unit{}, 0, false
}

// isWordHere reports whether a symbol of one letter at token i is more likely a word: "5 in the morning", "3 م".
func (r *reader) isWordHere(i int) bool {
	t := &r.tokens[i]
	switch t.Text {
	case "in":
		return r.near(i+1) && !unitish(r.norm(i+1))
	case "d", "s":
		return r.gaps[i] != "" && t.Text != "s"
	case "م":
		return r.gaps[i] != "" && r.gaps[i] != " "
	}
	return false
}

func unitish(norm string) bool {
	return norm == "by" || norm == "x" || norm == "wide" || norm == "long" || norm == "high"
}

// percentWords returns the number of tokens of "per cent" or "في المئة" at token i.
func (r *reader) percentWords(i int) int {
	switch r.norm(i) {
	case "per":
		if r.norm(i+1) == "cent" {
			return 2
		}
	case inArabic:
		if hundred[r.norm(i+1)] {
			return 2
		}
	}
	return 0
}

var (
	inArabic = text.Fold("في")
	hundred  = set("المئة المائة")
)

// composed reads what a unit is divided by: "mg/L", "km per hour", "كم/ساعة". Only measures are: a fee per day is a
// fee.
func (r *reader) composed(u unit, end int) (unit, int) {
	if end >= len(r.tokens) || isCurrency(u.base) || u.base == "%" || u.base == "month" {
		return u, end
	}
	at, sign := end, strings.TrimSpace(r.gaps[end]) == "/"
	if !sign {
		if !r.near(at) || !per[r.norm(at)] {
			return u, end
		}
		at++
	}
	if at >= len(r.tokens) {
		return u, end
	}
	by, ok := symbols[r.tokens[at].Text]
	if !ok {
		by, ok = unitWords[strings.TrimPrefix(r.norm(at), "ال")]
	}
	if !ok || !sign && by.base != "second" && by.base != "m³" || u.base == "second" {
		return u, end
	}
	name := r.divisor(by)
	if by.factor.Mantissa == 1 { // a power of ten
		u.factor = u.factor.Shift(-by.factor.Exponent)
	}
	u.base += "/" + name
	return u, at + 1
}

var per = set("per an a في لكل بال")

// divisor names what a unit is divided by: its base where it is a power of ten of it, else itself.
func (r *reader) divisor(u unit) string {
	if u.factor.Mantissa == 1 {
		return u.base
	}
	switch {
	case u.base == "second" && u.factor == Decimal{6, 1}:
		return "minute"
	case u.base == "second" && u.factor == Decimal{36, 2}:
		return "hour"
	}
	return u.base + "×" + u.factor.String()
}

// trailer reads the words behind an Arabic unit that tell its kind: "دينار كويتي", "يوم عمل".
func (r *reader) trailer(u unit, sort, country string, end int) (string, string, int) {
	for n := 0; n < 2 && r.near(end) && !strings.Contains(r.gaps[end], "-"); n++ {
		norm := r.norm(end)
		if !isArabic(norm) {
			break
		}
		kind, isSort := sorts[norm]
		c := countries[norm]
		if c == "" && (!isSort || isCurrency(u.base)) || c != "" && !isCurrency(u.base) {
			break
		}
		if kind != "" {
			sort = kind
		}
		if c != "" {
			country = c
		}
		end++
	}
	return sort, country, end
}

// signAfter reads a currency, percent or per-mille sign behind token i, at its code point end.
func (r *reader) signAfter(i, end int) (u unit, at int, ok bool) {
	gap := r.ruler.Slice(text.Span{Start: end, End: min(end+3, r.ruler.Len())})
	rest := strings.TrimLeft(gap, " \u00a0\u202f")
	c, w := utf8.DecodeRuneInString(rest)
	at = end + utf8.RuneCountInString(gap) - utf8.RuneCountInString(rest) + 1
	switch c {
	case '%', '٪', '％':
		return unit{base: "%", factor: Decimal{1, -2}, vague: false}, at, true
	case '‰':
		return unit{base: "‰", factor: Decimal{1, -3}, vague: false}, at, true
	case '℃':
		return unit{base: "°C", factor: Whole(1), vague: false}, at, true
	case '℉':
		return unit{base: "°F", factor: Whole(1), vague: false}, at, true
	case '°', 'º':
		if i+1 < len(r.tokens) && r.degree(i+1) {
			return u, end, false
		}
		return unit{base: "°", factor: Whole(1), vague: false}, at, true
	}
	u, ok = signs[c]
	if next, _ := utf8.DecodeRuneInString(rest[w:]); ok && isDigit(next) {
		return u, end, false // it belongs to the next number: "5 $10"
	}
	return u, at, ok
}

// currencyBefore reads a currency sign or code before token i, and returns the code point where it begins.
func (r *reader) currencyBefore(i int) (u unit, start int, ok bool) {
	at := r.tokens[i].Start
	before := r.ruler.Slice(text.Span{Start: max(r.free, at-4), End: at})
	trimmed := strings.TrimRight(before, " \u00a0\u202f-−–")
	start = at - utf8.RuneCountInString(before) + utf8.RuneCountInString(trimmed)
	if c, _ := utf8.DecodeLastRuneInString(trimmed); signs[c].base != "" {
		u, start = signs[c], start-1
		if c == '$' && i > 0 && r.tokens[i-1].End == start {
			country := countries[r.norm(i-1)]
			if short := strings.ToUpper(r.norm(i - 1)); len(short) <= 2 && country == "" {
				country = map[string]string{"A": "AU", "AU": "AU", "C": "CA", "CA": "CA", "S": "SG", "HK": "HK", "NZ": "NZ"}[short]
			}
			if code := currency["dollar "+country]; code != "" {
				return unit{base: code, factor: Whole(1)}, r.tokens[i-1].Start, true
			}
		}
		return u, start, true
	}
	if i > 0 && r.tokens[i-1].Start >= r.free && (blank(r.gaps[i]) || strings.Trim(r.gaps[i], " -−–.") == "") &&
		codes[r.norm(i-1)] &&
		!strings.Contains(r.gaps[i], "\n") {
		u = unitWords[r.norm(i-1)]
		return u, r.tokens[i-1].Start, u.base != ""
	}
	return unit{}, 0, false
}

// hasUnit reports whether a unit follows token i.
func (r *reader) hasUnit(i int) bool {
	if _, _, ok := r.signAfter(i, r.tokens[i].End); ok {
		return true
	}
	_, _, ok := r.unitAt(i+1, false)
	return ok
}
