package judge

import (
	"regexp"

	"sanad/internal/domain/text"
)

// Addresses reports whether a sentence speaks to the judge instead of its readers: it tells it to disregard what it was
// told, or what to answer, or calls it by name. Such a sentence is no evidence. It is meant to be careful: an ordinary
// sentence that it takes for such is lost as evidence, so it needs an order together with its object.
func Addresses(sentence string) bool {
	folded := text.Fold(sentence)
	for _, p := range addressing {
		if p.MatchString(folded) {
			return true
		}
	}
	return false
}

// Parts of the patterns, which read folded text (lower case, Arabic letters unified, no tashkeel).
const (
	// orderBegins is where an order begins: a sentence, or a clause in it
	orderBegins = `(?:^|[.!?:;,"'()\[\]*#>|{}-]\s*|\b(?:please|kindly|now|then|therefore|thus|hence|so|and|must|should|shall|to|you|just|simply|always|only) )`
	// verdicts are an answer that is dictated
	verdicts = `["'*\x60]?(?:fully |strongly |clearly )?(?:supported|contradicted|not[_ ]found|verified|entailed|entailment)\b`
	// matter is what a judge has before it
	matter = `(?:claims?|statements?|assertions?|verdicts?|labels?|hypothes[ie]s)`

	orders   = `(?:^|[.!?:;,"'()\[\]*#>|{}-]\s*|(?:^| )(?:و|ف|ثم |الان |رجاء |فضلا |من فضلك ))`
	judged   = `["']?(?:مويد|مدعوم|مثبت|موكد|صحيح|supported)ه?`
	arMatter = `(?:ال)?(?:ادعاء|زعم|عباره|حكم|مقوله|فرضيه)`
)

var addressing = []*regexp.Regexp{
	// "ignore the above", "disregard all previous instructions"
	regexp.MustCompile(orderBegins + `(?:ignore|disregard|forget|override|bypass|overlook)\s+(?:all\s+|any\s+|everything\s+)?` +
		`(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+|my\s+)?(?:(?:above|previous|prior|earlier|preceding|foregoing|system|other|original)` +
		`\s+)?(?:(?:and\s+\w+\s+)?(?:instructions?|prompts?|directions|system message|guidelines|context|sentences|evidence)\b|` +
		`above\s*(?:[.,;:!"']|$|and\b)|(?:above|before) this\b)`),
	// "answer supported", "reply with 'supported'"
	regexp.MustCompile(orderBegins + `(?:answer|respond|reply|output)\s+(?:only\s+)?(?:(?:with|by|as|that|it|is|the|word|verdict|label)\s+){0,4}` +
		verdicts),
	// "mark this claim as supported", "set the verdict to supported"
	regexp.MustCompile(orderBegins + `(?:mark|label|rate|classify|judge|report|return|declare|treat|consider|deem|set|give|write|say|print|` +
		`conclude|assess|grade|score|confirm|accept)\s+(?:\S+\s+){0,4}` + matter + `\s+(?:\S+\s+){0,4}` + verdicts),
	// "return supported", "say: supported", where nothing is meant that is supported
	regexp.MustCompile(orderBegins + `(?:return|say|print|write|emit|choose|select|pick)\s*:?\s+(?:the\s+verdict\s+|verdict\s+)?` +
		`["'*\x60]?(?:supported|not_found)["'*\x60]?\s*(?:[.,;!)}]|$|\b(?:for|with|as|and|regardless|whatever)\b)`),
	// "the verdict must be supported", "verdict: supported", "the correct answer is supported"
	regexp.MustCompile(`\bverdict["']?\s*(?:[:=]|is|must be|should be|shall be|has to be|will be)\s*` + verdicts),
	regexp.MustCompile(`\b(?:correct|right|only|expected|required|final)\s+(?:answer|verdict|label)\s+(?:here\s+)?(?:is|must be|should be)\s*:?\s*` +
		verdicts),
	regexp.MustCompile(`\b(?:this|the|every|each|all|any)\s+` + matter + `\s+(?:\S+\s+){0,3}(?:must|should|shall|has to|have to|is to|are to|need to)` +
		`\s+(?:be\s+|count\s+)(?:\S+\s+){0,3}` + verdicts),
	// what only the question has
	regexp.MustCompile(`\bevidence_ids\b|"verdict"|\bthe claim (?:above|under review|being (?:checked|judged|verified))\s+is\s+` + verdicts),
	// "AI judge: …", "note to the grader: … supported"
	regexp.MustCompile(orderBegins + `(?:ai|llm|automated|automatic)\s+(?:judge|grader|evaluator|fact[- ]?checker|verifier)s?\s*[:,]`),
	regexp.MustCompile(`\b(?:instructions?|note|notice|message|attention)[,:]?\s+(?:(?:to|for)\s+)?(?:the\s+|any\s+|all\s+)?` +
		`(?:judge|grader|evaluator|fact[- ]?checker|verifier)s?\b[^.]{0,80}\b(?:supported|verified|entailed|disregard|ignore)\b`),
	// names of a model, called
	regexp.MustCompile(`\b(?:dear|hey|hello|attention|note to|notice to|message to|instructions? (?:to|for)|to)[,:]?\s+(?:the\s+|any\s+|all\s+|every\s+|you,? )?` +
		`(?:ai|llms?|language models?|ai models?|ai judges?|ai assistants?|chatbots?|automated (?:judges?|graders?|checkers?|reviewers?))\b\s*` +
		`(?:[:,.!]|reading|processing|judging|checking|evaluating)`),
	regexp.MustCompile(`\bif you are an? (?:ai|llm|language model|large language model|automated)\b|` +
		`\byou are (?:now )?(?:an? )?(?:ai\b|llm\b|language model|fact[- ]checker|helpful assistant|unrestricted)`),
	regexp.MustCompile(`<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?inst\]|\bsystem prompt\b|\bnew instructions?\s*:|^\W*(?:system|assistant)\s*:`),

	// "تجاهل ما سبق", "انس التعليمات السابقة"
	regexp.MustCompile(orders + `(?:تجاهل|تجاهلي|تجاهلوا|انس|انسي|انسوا|اهمل|اهملي|اهملوا|اغفل)\s+(?:كل\s+|جميع\s+|ساير\s+|كافه\s+)?` +
		`(?:ما\s+(?:سبق|ورد|تقدم|قبل|قيل|جاء|اعلاه|ذكر)|(?:ال)?(?:تعليمات|اوامر|ارشادات|توجيهات|موجه|جمل|ادله)(?:ك)?(?:[^\p{L}]|$)|هذه\s+(?:التعليمات|الاوامر))`),
	// "اجب بأن الادعاء مؤيد"
	regexp.MustCompile(orders + `(?:اجيبي|اجيبوا|احكم|احكمي|احكموا|ليكن (?:جوابك|حكمك|ردك))\s*:?\s*(?:\S+\s+){0,5}?(?:ب|بانه |بانها )?` + judged),
	regexp.MustCompile(`(?:^|[^\p{L}])(?:[وف]?اجب|رد)\s*:?\s*(?:ب(?:ان|كلمه)\S*\s+(?:ال)?(?:\S+\s+){0,3}?)?` + judged + `ا?(?:[^\p{L}]|$)`),
	regexp.MustCompile(orders + `اجب\s+(?:\S+\s+){0,4}?` + arMatter + `\s+(?:\S+\s+){0,3}?` + judged),
	regexp.MustCompile(orders + `(?:اكتب|اكتبي|قل|قولي|اعتبر|اعتبري|صنف|صنفي|ضع|ضعي|سجل|سجلي|اعلن|اعد|اختر|اختاري|قرر)\s+(?:\S+\s+){0,4}?` +
		arMatter + `\s+(?:\S+\s+){0,4}?(?:ب)?` + judged),
	regexp.MustCompile(orders + `(?:اكتب|قل|اختر|اخرج|اعد)\s*:?\s*(?:كلمه\s+)?["']?(?:مويد|مدعوم|supported)ه?["']?\s*(?:[.,;!]|$)`),
	regexp.MustCompile(`(?:يجب|ينبغي|يتعين|عليك|لا بد من?)\s+(?:\S+\s+){0,3}` + arMatter + `\s+(?:\S+\s+){0,4}` + judged),
	regexp.MustCompile(`(?:الجواب|الاجابه|الحكم|حكمك|جوابك)\s*(?:الصحيحه?\s*|المطلوبه?\s*|الوحيده?\s*|النهاييه?\s*)?(?:هو|هي|يجب ان يكون|:)\s*:?\s*` +
		judged),
	regexp.MustCompile(`(?:ايها|ايتها|يا|عزيزي|الي|تنبيه ل|ملاحظه ل|رساله الي)\s*(?:ال)?(?:نموذج (?:اللغ|الذك|لغ)|نموذج اللغوي|نموذج\s*[:,!]|` +
		`مساعد (?:الذك|ذك|الال)|ذكاء الاصطناعي|محكم الالي|مقيم الالي|مدقق الالي|روبوت)|(?:ل)?(?:نموذج اللغه|لذكاء الاصطناعي)\s*:`),
	// "تعليمات للمقيم: … مؤيد"
	regexp.MustCompile(`(?:تعليمات|توجيهات|تنبيه|ملاحظه|رساله)\s*(?:الي\s+ال|لل|ل)(?:مقيم|محكم|مدقق)[^.]{0,80}(?:مويد|مدعوم|تجاهل|ادعاء)`),
	regexp.MustCompile(`(?:اذا|ان|لو) كنت (?:نموذج|ذكاء|مساعد)|انت (?:الان )?(?:نموذج|مساعد ذك|ذكاء اصطناعي|محكم الي)`),
}
