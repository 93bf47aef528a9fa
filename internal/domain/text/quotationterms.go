package text

import (
	"strings"
	"unicode"
)

// context is the words on one side of a quotation.
type context struct {
	words []string // folded, in order
	colon bool     // a colon stands between them and the quotation
	raw   string
}

func newContext(s string, colon bool) context {
	c := context{colon: colon || strings.HasSuffix(strings.TrimSpace(s), ":"), raw: s}
	for _, t := range normTokens(s) {
		c.words = append(c.words, Fold(t.Norm))
	}
	return c
}

// last returns the n-th word from the end, from 0; "" if there are fewer.
func (c context) last(n int) string {
	if n >= len(c.words) {
		return ""
	}
	return c.words[len(c.words)-1-n]
}

// ends reports whether the last word, after up to skip words of a list, is in a set.
func (c context) ends(set map[string]bool, links map[string]bool) bool {
	for n := 0; n < len(c.words); n++ {
		w := c.last(n)
		if isListed(set, w) {
			return true
		}
		if !isListed(links, w) {
			return false
		}
	}
	return false
}

// isListed reports whether a word is in a set, in Arabic also behind the prefixes و and ف.
func isListed(set map[string]bool, w string) bool {
	if set[w] {
		return true
	}
	r := []rune(w)
	return len(r) > 3 && (r[0] == 'و' || r[0] == 'ف') && set[string(r[1:])]
}

// counts reports whether the words between the marks at open and end are a quotation.
func (q *quoteFinder) counts(open, end int, words string) bool {
	before, after := q.before(open), q.after(end+1)
	switch {
	case q.denied(before), before.ends(instructions, labels), before.ends(labels, nil), before.instructs():
		return false
	case before.ends(namings, nil) && !before.colon, before.ends(sayings, nil):
		return false
	case isQuestion(words) && !before.reports():
		return false
	case isTitle(words, before):
		return false
	}
	reported := before.reports() || after.saidBy(words)
	if n := countTokens(words); n < quotationWords && before.ends(terms, nil) {
		return false
	}
	return isLong(words) || reported || q.citedAt(end+1)
}

// instructs reports whether the sentence tells the reader what to click or enter.
func (c context) instructs() bool { return len(c.words) > 0 && instructions[c.words[0]] }

// reports reports whether a reporting verb directly governs what follows.
func (c context) reports() bool { return c.ends(reporting, links) }

// saidBy reports whether words are followed by who said them: "…," she warned.
func (c context) saidBy(words string) bool {
	if !strings.HasSuffix(words, ",") && !strings.HasSuffix(words, "،") && !strings.HasPrefix(c.raw, ",") &&
		!strings.HasPrefix(c.raw, "،") {
		return false
	}
	for _, w := range c.words[:min(len(c.words), 4)] {
		if isListed(reporting, w) {
			return true
		}
	}
	return false
}

// denied reports whether the sentence says that the source does not have the words.
func (q *quoteFinder) denied(c context) bool {
	for i, w := range c.words {
		if w == "nowhere" || w == "never" && i+1 < len(c.words) && isListed(reporting, c.words[i+1]) {
			return true
		}
		if !isListed(deniers, w) && !strings.HasSuffix(w, "n't") {
			continue
		}
		for _, next := range c.words[i+1 : min(len(c.words), i+4)] {
			if isListed(reporting, next) {
				return true
			}
		}
	}
	return false
}

func isQuestion(words string) bool {
	return strings.HasSuffix(words, "?") || strings.HasSuffix(words, "؟")
}

// isTitle reports whether words name a work, a document or a part of one: behind its kind, or with each long word
// capitalised.
func isTitle(words string, before context) bool {
	long, capital := 0, 0
	for _, w := range strings.Fields(words) {
		r := []rune(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }))
		if len(r) < 4 || !unicode.IsLetter(r[0]) {
			continue
		}
		long++
		if unicode.IsUpper(r[0]) {
			capital++
		}
	}
	cased := long > 1 && capital == long
	if before.ends(worksArabic, nil) && !before.colon {
		return true
	}
	if before.ends(works, nil) && !before.colon && long > 0 {
		return cased || capital*2 >= long
	}
	return cased && !strings.HasSuffix(words, ".") && (long > 2 || !before.reports())
}

// The words that decide what a quotation is, folded.
var (
	reporting = foldSet(`say says said saying state states stated stating write writes wrote written note notes noted
		noting read reads stipulate stipulates stipulated provide provides provided specify specifies specified declare
		declares declared describe describes described explain explains explained add adds added report reports reported
		conclude concludes concluded confirm confirms confirmed announce announces announced claim claims claimed argue
		argues argued warn warns warned quote quotes quoted quoting caution cautions cautioned recommend recommends
		recommended promise promises promised mention mentions mentioned emphasise emphasises emphasised emphasize
		emphasizes emphasized stress stresses stressed observe observes observed remark remarks remarked insist insists
		insisted admit admits admitted reply replies replied assert asserts asserted acknowledge acknowledges
		acknowledged indicate indicates indicated contain contains contained require requires required put puts`,
		`قال قالت قالوا يقول تقول يقولون ذكر ذكرت يذكر تذكر نص نصت ينص تنص نصه نصها ورد وردت يرد ترد جاء جاءت افاد افادت يفيد تفيد
		اوضح اوضحت يوضح توضح اكد اكدت يوكد توكد صرح صرحت يصرح اعلن اعلنت يعلن تعلن اضاف اضافت يضيف تضيف كتب كتبت يكتب تكتب
		بحسب حسب وفق وفقا حذر حذرت يحذر تحذر اشار اشارت يشير تشير بين بينت يبين تبين اوصي اوصت اوصوا يوصي توصي يري تري راي
		اشترط اشترطت يشترط تشترط وصف وصفت يصف تصف خلص خلصت نقل نقلت اقر اقرت حرفيا`)
	links = foldSet(`that as follows it the data this them all employees and to is are be him her by in which on a an of
		it's there`,
		`ان انه انها بان بانه بانها علي في ما يلي الي هذا هذه هو هي كما كان عن الاتي التالي التقرير اللائحه السياسه الماده الملخص السنوي`)
	deniers      = foldSet(`not no never none neither nor without`, `لا لم لن ليس ليست ما غير دون`)
	instructions = foldSet(`enter type click select choose press tick tap pick write fill search google uncheck untick
		open`,
		`اكتب ادخل اضغط انقر اختر حدد املا ابحث اكتبي اختاري`)
	labels = foldSet(`button field box option menu tab column link icon on in the checkbox marked labelled labeled`,
		`زر خانه حقل خيار ايقونه قائمه تبويب رابط علي في عمود`)
	namings = foldSet(`titled entitled called named headed subtitled dubbed nicknamed termed labelled labeled known
		directed recorded released composed starred performed sang produced authored`,
		`بعنوان عنوانه عنوانها المعنون المعنونه المسمي المسماه يسمي تسمي يسمونه اسم باسم لقب شعار شعاره بشعار`)
	sayings = foldSet(`goes proverb motto slogan so-called`, `المثل يقال قيل القائل`)
	terms   = foldSet(`term word words phrase expression concept notion called calls so-called`,
		`مصطلح كلمه عباره لفظ مفهوم يسمي لفظه تعبير`)
	works = foldSet(`book article report film movie song paper study guide chapter section novel series podcast course
		programme program project campaign essay play album game exhibition post form template initiative workshop
		conference brochure leaflet handbook manual standard policy document page slide table figure appendix annex file
		law act directive`, ``)
	worksArabic = foldSet(``, `كتاب الكتاب كتابه كتابها دليل الدليل مقال المقال مقاله المقاله دراسه الدراسه فيلم مسلسل روايه فصل
		الفصل باب الباب قسم القسم نموذج النموذج برنامج مشروع مبادره حمله دوره موتمر ورشه وثيقه الوثيقه منصه تطبيق سلسله بحث
		كتيب ملف استماره`)
)
