package judge

import (
	"strings"

	"sanad/internal/domain/text"
)

// synonymGroups are words that say the same where policies, contracts and reports speak; the first stands for its group.
var synonymGroups = []string{
	"receive get gets given grant granted entitled entitlement eligible obtain",
	"request application apply",
	"advance before prior beforehand ahead",
	"employee staff worker personnel",
	"must shall required mandatory obliged obligated",
	"may can permitted allowed",
	"maximum max most cap",
	"minimum min least",
	"forward over",
	"begin start commence",
	"end finish terminate conclude",
	"buy purchase acquire",
	"help assist aid",
	"show demonstrate indicate",
	"salary wage pay remuneration",
	"vacation leave holiday",
	"company firm corporation",
	"agreement contract",
	"large big huge",
	"make create produce",
	"film movie",
	"child kid",
	"doctor physician",
	"car vehicle automobile",
	"kill murder",
	"approximately about around roughly",
	"include contain comprise",
	"yearly annual annually",
	"monthly month",
	"married wife husband spouse",
	"disclose reveal divulge",
	"destroy delete erase",
	"keep retain store",
	"immediately promptly",
	"موظف عامل مستخدم",
	"يستحق يحصل يمنح يحق",
	"يجب يلزم ينبغي يتعين",
	"يجوز يمكن يسمح",
	"طلب استماره",
	"اجازه عطله",
	"راتب اجر معاش",
	"شركه مؤسسه منشاه",
	"عقد اتفاق اتفاقيه",
	"ترحيل نقل تدوير",
	"بدايه مطلع مستهل",
	"يعلن يكشف",
	"مقتل مصرع وفاه",
	"ارتفاع زياده صعود",
	"انخفاض تراجع هبوط",
}

// antonymPairs turn a claim round when one stands for the other.
var antonymPairs = []string{
	"allow prohibit", "allowed prohibited", "permitted prohibited", "allowed forbidden", "permitted forbidden", "increase decrease", "increase reduce", "rise fall", "rose fell", "before after", "maximum minimum", "most least",
	"include exclude", "including excluding", "paid unpaid", "with without", "accept reject", "approve reject", "approved rejected", "approved denied", "win lose", "won lost", "first last", "male female", "always never",
	"more less", "more fewer", "above below", "open closed", "oldest youngest", "largest smallest", "highest lowest", "high low", "best worst", "start end", "began ended", "mandatory optional", "required optional", "north south",
	"east west", "early late", "public private", "internal external", "full-time part-time", "permanent temporary", "success failure", "true false", "all none", "present absent", "positive negative", "agree disagree", "legal illegal",
	"same different", "multiple single", "alive dead", "son daughter", "father mother", "brother sister", "husband wife", "man woman",
	"يسمح يمنع", "يجوز يحظر", "مسموح ممنوع", "ارتفاع انخفاض", "ارتفاع تراجع", "يرتفع ينخفض", "يرتفع يتراجع", "زياده نقص", "زياده خفض", "اقصى ادنى", "الاقصى الادنى", "قبل بعد", "فوز خساره", "يفوز يخسر", "اكثر اقل", "اعلى ادنى",
	"الزامي اختياري", "مدفوعه غير", "قبول رفض", "يقبل يرفض", "توافق ترفض", "يوافق يرفض", "ينفي يؤكد", "تنفي تؤكد", "نفي تاكيد", "فتح اغلاق", "شمال جنوب", "شرق غرب", "داخل خارج", "بدايه نهايه", "دائم مؤقت", "اول اخر",
}

var (
	synonyms, groups = synonymTable()
	antonyms         = antonymTable()
	light            = wordSet("must shall should may can cannot could would will might all every each any some many most several always usually often generally only at least no more up per yearly year day days within also both other يجب يمكن يجوز قد كل جميع بعض كافة معظم فقط")
)

// generic are verbs that say little without their object, by the stem that stands for their group.
var generic = stemSet("receive provide include make use take say state offer become know call يستحق يقدم يتم يعد يعتبر")

func stemSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[canonical(stemOf(w))] = true
	}
	return out
}

// canonical is the stem that stands for a stem's group.
func canonical(stem string) string {
	if c, ok := synonyms[stem]; ok {
		return c
	}
	return stem
}

// synonymTable maps the stem of each word to the stem that stands for its group, and that to all of them.
func synonymTable() (to map[string]string, groups map[string][]string) {
	to, groups = map[string]string{}, map[string][]string{}
	for _, line := range synonymGroups {
		words := strings.Fields(line)
		head := stemOf(words[0])
		for _, w := range words {
			if s := stemOf(w); to[s] == "" {
				to[s] = head
				groups[head] = append(groups[head], s)
			}
		}
	}
	return to, groups
}

func antonymTable() map[string][]string {
	out := map[string][]string{}
	for _, pair := range antonymPairs {
		a, b, _ := strings.Cut(pair, " ")
		a, b = stemOf(a), stemOf(b)
		if a != b {
			out[a], out[b] = append(out[a], b), append(out[b], a)
		}
	}
	return out
}

func stemOf(w string) string { return text.Stem(text.Fold(w)) }

// wordSet is a set of folded words.
func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[text.Fold(w)] = true
	}
	return out
}
