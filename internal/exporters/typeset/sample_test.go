package typeset

import (
	"fmt"
	"time"
)

// sample returns a ledger of n claims in both languages, as a board would get it.
func sample(n int) *Doc {
	return &Doc{
		Title: "Evidence ledger: capital adequacy 2026", Author: "Sanad", Subject: "Evidence ledger", Lang: "en",
		Date: time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC), ID: "3f7a9c0e",
		Sections: []Section{sampleEnglish(n), sampleArabic(n)},
	}
}

const sampleDigest = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

var sampleKinds = []Kind{Good, Unsure, Bad, Open}

func sampleEnglish(n int) Section {
	words := []string{"Supported", "Partly supported", "Contradicted", "Not found"}
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{[]Cell{
			{Spans: Text(fmt.Sprint(i + 1))},
			{Spans: Text(fmt.Sprintf("The capital adequacy ratio rose from %d.2%% to 17.8%% between 2024 and 2026, above the regulator's minimum of 13%%.", 12+i%5))},
			{Badge: &Badge{sampleKinds[i%4], words[i%4]}},
			{Spans: []Span{{Text: fmt.Sprintf("Annual report 2025, page %d: “The ratio stood at 17.8%% at year end.” ",
				10+i)}, {Text: fmt.Sprintf("c%08x", i*7919+1), Code: true}}},
			{Spans: Text(fmt.Sprintf("0.%02d", 50+i%50))},
		}}
	}
	return Section{
		Lang: "en", Title: "Evidence ledger", Head: [2]string{"Gulf Holding Company", "EP-2026-0142"},
		Classification: "Confidential", Foot: sampleDigest, PageOf: "Page {x} of {y}",
		Blocks: []Block{
			Cover{
				Kicker: "Evidence ledger", Title: "Should the board approve the 2026 capital plan?",
				Subtitle: "Answer of 14 March 2026, judged against 12 documents",
				Badge:    &Badge{Plain, "Approved with conditions"},
				Facts: []KeyValue{
					{Key: "Decision",
						Value: Text("Approve the plan, subject to a second opinion on the stress scenario.")},
					{Key: "Prepared by", Value: Text("Layla Haddad (reviewer), شركة الخليج القابضة")},
					{Key: "Digest", Value: []Span{{Text: sampleDigest, Code: true}}},
				},
			},
			Heading{Level: 1, Text: "Summary"},
			Paragraph{Spans: []Span{{Text: "Of the claims in the answer, "}, {Text: "three in four", Bold: true},
				{Text: " are supported by the documents. Two are contradicted: the dividend of AED 0.25 per share and the date of the annual meeting. The kerning of AVATAR, Tokyo and “Wagner” should look right; so should office, fjord and affluent."}}},
			List{Items: [][]Span{Text("Correct claims #4 and #7 to match the sources."),
				{{Text: "Upload documents that cover claim #9, or qualify it: "},
					{Text: "policy_v2-final.pdf", Code: true},
					{Text: " is older than the freshness window of 12 months."}}}, Numbered: true},
			Heading{Level: 2, Text: "What the sources say"},
			Quote{Spans: Text("بلغت نسبة كفاية رأس المال 17.8% في نهاية عام 2025، مقارنةً بـ 15.1% في العام السابق (2024)."), Source: Text("Annual report 2025, page 41, in Arabic"), Lang: "ar"},
			Quote{Spans: Text("The ratio stood at 17.8% at the end of 2025, against 15.1% a year before."),
				Source: Text("Translation for information")},
			Heading{Level: 2, Text: "Claims"},
			Table{Columns: []Column{{"#", 5, false}, {"Claim", 36, false}, {"Verdict", 20, false},
				{"Evidence", 30, false}, {"Score", 9, true}}, Rows: rows},
			Heading{Level: 2, Text: "Notes"},
			List{Items: [][]Span{Text("Scores are lexical and from 0 to 1."),
				Text("Documents older than twelve months carry a flag.")}},
			Paragraph{Spans: Text("This document was made by a machine and signed by nobody."), Soft: true},
		},
	}
}

func sampleArabic(n int) Section {
	words := []string{"مدعوم", "مدعوم جزئيًا", "متناقض", "لم يُعثر عليه"}
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{[]Cell{
			{Spans: Text(fmt.Sprint(i + 1))},
			{Spans: Text(fmt.Sprintf("ارتفعت نسبة كفاية رأس المال من %d.2%% إلى 17.8%% خلال الفترة 2024-2026، أي فوق الحد الأدنى المقرر من الجهة الرقابية.", 12+i%5))},
			{Badge: &Badge{sampleKinds[i%4], words[i%4]}},
			{Spans: []Span{{Text: fmt.Sprintf("التقرير السنوي 2025، صفحة %d: «بلغت النسبة 17.8%% في نهاية السنة». ",
				10+i)}, {Text: fmt.Sprintf("c%08x", i*7919+1), Code: true}}},
			{Spans: Text(fmt.Sprintf("0.%02d", 50+i%50))},
		}}
	}
	return Section{
		Lang: "ar", Title: "سجل الأدلة", Head: [2]string{"شركة الخليج القابضة", "EP-2026-0142"}, Classification: "سري",
		Foot: sampleDigest, PageOf: "صفحة {x} من {y}",
		Blocks: []Block{
			Cover{
				Kicker: "سجل الأدلة", Title: "هل يعتمد مجلس الإدارة خطة رأس المال لعام 2026؟",
				Subtitle: "إجابة بتاريخ 14 مارس 2026، قُيِّمت على أساس 12 وثيقة",
				Badge:    &Badge{Plain, "معتمد بشروط"},
				Facts: []KeyValue{
					{Key: "القرار", Value: Text("اعتماد الخطة، على أن يُطلب رأي ثانٍ بشأن سيناريو اختبار الضغط.")},
					{Key: "أعدّه", Value: Text("ليلى حداد (مراجِعة)، Gulf Holding Company")},
					{Key: "البصمة", Value: []Span{{Text: sampleDigest, Code: true}}},
				},
			},
			Heading{Level: 1, Text: "الخلاصة"},
			Paragraph{Spans: []Span{{Text: "من بين الادعاءات الواردة في الإجابة، "},
				{Text: "ثلاثة من كل أربعة", Bold: true},
				{Text: " مدعومة بالوثائق. ويتناقض ادعاءان مع المصادر: توزيعات الأرباح البالغة 0.25 درهم للسهم، وموعد اجتماع الجمعية العمومية (15/04/2026). للاستفسار: +971 4 123 4567 أو audit@example.com."}}},
			List{Items: [][]Span{Text("تصحيح الادعاءين #4 و#7 بما يوافق المصادر."),
				{{Text: "رفع الوثائق التي تغطي الادعاء #9 أو تقييده: "}, {Text: "policy_v2-final.pdf", Code: true},
					{Text: " أقدم من نافذة الحداثة البالغة 12 شهرًا."}}}, Numbered: true},
			Heading{Level: 2, Text: "ما تقوله المصادر"},
			Quote{Spans: Text("بلغت نسبة كفاية رأس المال 17.8% في نهاية عام 2025، مقارنةً بـ 15.1% في العام السابق (2024)."), Source: Text("التقرير السنوي 2025، صفحة 41")},
			Quote{Spans: Text("The committee noted (minutes of 3 May 2025) that IFRS 9 provisions fell by 12%."),
				Source: Text("محضر لجنة المراجعة، بالإنجليزية"), Lang: "en"},
			Heading{Level: 2, Text: "الادعاءات"},
			Table{Columns: []Column{{"#", 5, false}, {"الادعاء", 36, false}, {"الحكم", 20, false},
				{"الدليل", 30, false}, {"الدرجة", 9, true}}, Rows: rows},
			Heading{Level: 2, Text: "ملاحظات"},
			List{Items: [][]Span{Text("الدرجات معجمية وتتراوح بين 0 و1."),
				Text("تُعلَّم الوثائق التي مضى عليها أكثر من اثني عشر شهرًا.")}},
			Paragraph{Spans: Text("أعدّت هذه الوثيقةَ آلةٌ ولم يوقّعها أحد."), Soft: true},
		},
	}
}
