package pack

import (
	"strconv"
	"strings"
)

// memoWords are the templates of a memo in one language, in the tone of a board paper.
type memoWords struct {
	title, decided, classed, rests                                 string
	because, sources, calls, contradicted, failed                  counted
	single                                                         [2][2]string // of one call: contradicted, failed
	levels                                                         map[Level]string
	headDecision, headBasis, headActions, headClaims, headApproval string
	noSources, withheld, call, claims, approval                    string
	approvers                                                      [3]string // by number
	months                                                         [12]string
	open, close, comma, semicolon, and                             string
	reason                                                         func(Reason) string
}

// counted is a clause with a number in it, in the forms that Arabic has (CLDR plural rules "ar"): none, one, two, 3–10,
// 11–99, and the rest. English needs three of them.
type counted struct{ zero, one, two, few, many, other string }

func (c counted) of(n int) string {
	form := c.other
	switch rest := n % 100; {
	case n == 0:
		form = c.zero
	case n == 1:
		form = c.one
	case n == 2:
		form = c.two
	case rest >= 3 && rest <= 10:
		form = c.few
	case rest >= 11:
		form = c.many
	}
	return strings.Replace(form, "#", strconv.Itoa(n), 1)
}

func plain3(zero, one, other string) counted {
	return counted{zero: zero, one: one, two: other, few: other, many: other, other: other}
}

var english = memoWords{
	title:   "Decision memo: %s",
	decided: "On %s, %s decided: %s.",
	classed: "The decision is classed %s for approval, %s for reversibility and %s for sensitivity, with a stated confidence of %s.",
	levels: map[Level]string{
		Mandatory:   "An evidence pack is mandatory%s: %s.",
		Recommended: "An evidence pack is recommended%s: %s.",
	},
	rests:        "%s. %s.",
	because:      plain3("", "", ""),
	sources:      plain3("No sources are recorded", "The decision rests on one source", "The decision rests on # sources"),
	calls:        plain3("The system called no tool", "The system made one tool call", "The system made # tool calls"),
	contradicted: plain3("none of them departed from what was intended", "one of them departed from what was intended", "# of them departed from what was intended"),
	failed:       plain3("none failed", "one failed", "# failed"),
	single: [2][2]string{
		{"it did what was intended", "it failed"},
		{"it departed from what was intended", "it departed from what was intended, and failed"},
	},
	headDecision: "## Decision", headBasis: "## Basis", headActions: "## What the system did", headClaims: "## Claims checked", headApproval: "## Approval",
	noSources: "No sources are recorded.",
	withheld:  "content withheld (S3); its hash is on record",
	call:      "- **%s**: intended %s; actual %s.",
	claims:    "- Claims: %d; supported: %d; weak: %d; contradicted: %d; not found: %d; not judged: %d.",
	approval:  "Approval counts as class %s and needs %s.",
	approvers: [3]string{"no approver", "one approver", "two different approvers"},
	months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December"},
	open: "“", close: "”", comma: "; ", semicolon: "; ", and: ", and ",
	reason: func(r Reason) string { return r.Words },
}

// arabic follows Gulf business usage: Gregorian months by their Gulf names, counted nouns in the case their clause asks for.
var arabic = memoWords{
	title:   "مذكرة قرار: %s",
	decided: "بتاريخ %s اتخذ النظام «%s» القرار الآتي: %s.",
	classed: "صُنِّف القرار ضمن الفئة %s من حيث الاعتماد، والفئة %s من حيث قابلية التراجع، والفئة %s من حيث الحساسية، بدرجة ثقة معلنة قدرها %s.",
	levels: map[Level]string{
		Mandatory:   "وإعداد حزمة الأدلة إلزامي %s: %s.",
		Recommended: "ويُوصى بإعداد حزمة الأدلة %s: %s.",
	},
	rests: "و%s. و%s.",
	because: counted{
		one: "للسبب الآتي", two: "للسببين الآتيين", few: "للأسباب الآتية", many: "للأسباب الآتية",
		other: "للأسباب الآتية",
	},
	sources: counted{
		zero: "لم تُسجَّل للقرار أي مصادر", one: "استند القرار إلى مصدر واحد", two: "استند القرار إلى مصدرين", few: "استند القرار إلى # مصادر",
		many: "استند القرار إلى # مصدرًا", other: "استند القرار إلى # مصدر",
	},
	calls: counted{
		zero: "لم يستدعِ النظام أي أداة", one: "نفّذ النظام استدعاءً واحدًا لأداة", two: "نفّذ النظام استدعاءين للأدوات", few: "نفّذ النظام # استدعاءات للأدوات",
		many: "نفّذ النظام # استدعاءً للأدوات", other: "نفّذ النظام # استدعاء للأدوات",
	},
	contradicted: counted{
		zero: "لم يخالف أيٌّ منها ما كان مقصودًا", one: "خالف واحد منها ما كان مقصودًا", two: "خالف اثنان منها ما كان مقصودًا", few: "خالف # منها ما كان مقصودًا",
		many: "خالف # منها ما كان مقصودًا", other: "خالف # منها ما كان مقصودًا",
	},
	failed: counted{
		zero: "لم يتعثّر أيٌّ منها", one: "تعثّر واحد منها", two: "تعثّر اثنان منها", few: "تعثّر # منها",
		many: "تعثّر # منها", other: "تعثّر # منها",
	},
	single: [2][2]string{
		{"وجرى على النحو المقصود", "وقد تعثّر"},
		{"وقد خالف ما كان مقصودًا", "وقد خالف ما كان مقصودًا وتعثّر"},
	},
	headDecision: "## القرار", headBasis: "## أساس القرار", headActions: "## ما نفّذه النظام فعليًا", headClaims: "## الإفادات التي جرى التحقق منها",
	headApproval: "## الاعتماد",
	noSources:    "لا توجد مصادر مسجّلة.",
	withheld:     "حُجب المحتوى لحساسيته (S3)، وبصمته محفوظة في السجل",
	call:         "- **%s**: المقصود %s، والمنفَّذ فعليًا %s.",
	claims:       "- الإفادات: %d، المدعومة: %d، الضعيفة السند: %d، المتعارضة مع المصادر: %d، ما لم يُعثر على سند له: %d، ما لم يُقيَّم: %d.",
	approval:     "يُعامَل الاعتماد ضمن الفئة %s، ويتطلب موافقة %s.",
	approvers:    [3]string{"لا أحد", "معتمِد واحد", "معتمِدَين مختلفَين"},
	months: [12]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر",
		"نوفمبر", "ديسمبر"},
	open: "«", close: "»", comma: "؛ ", semicolon: "، ", and: "، و",
	reason: func(r Reason) string { return r.Arabic },
}
