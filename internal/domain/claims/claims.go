// Package claims cuts an answer into its checkable statements and guesses their type and importance. See README.md.
package claims

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// Of cuts a Markdown answer into its checkable statements: one for each sentence, list item and table row, in order.
// Headings, code, questions, greetings, closings, a list of references and a model's thoughts are none. A claim's text
// is the sentence without Markdown, citation anchors and the closing full stop; its span, in code points, covers it in
// the answer.
func Of(answer string) []ledger.Claim {
	s := split(answer)
	for i := range s.out {
		s.out[i].Position, s.out[i].Key = i, fmt.Sprintf("clm_%03d", i+1)
	}
	return s.out
}

// None counts the sentences of an answer that state nothing to check: questions, greetings, closings, remarks about the
// answer itself, and what only announces what follows. Headings and code are no sentences.
func None(answer string) int { return split(answer).none }

func split(answer string) *splitter {
	answer = text.WithoutThoughts(checks.WithoutReferences(answer))
	s := &splitter{ruler: text.NewRuler(answer)}
	stretches([]byte(answer), func(p stretch) {
		s.src, s.base = p.src, p.base
		if p.plain {
			t := &plain{}
			t.add(p.src, 0, len(p.src))
			s.sentences(t)
		} else {
			s.blocks(parse(p.src))
		}
	})
	return s
}

// splitter walks the blocks of one answer, a stretch at a time.
type splitter struct {
	src   []byte // of the stretch
	base  int    // where it begins in the answer, in bytes
	ruler text.Ruler
	out   []ledger.Claim
	none  int // sentences that state nothing
}

func (s *splitter) blocks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading, *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock, *ast.ThematicBreak:
		case *ast.Paragraph, *ast.TextBlock:
			if !isBoldTitle(c, s.src) && !isTitleLine(c, s.src) {
				s.prose(c)
			}
		case *extast.Table:
			s.table(c)
		default:
			s.blocks(c)
		}
	}
}

// isBoldTitle reports whether a paragraph is a heading without the mark: all bold, and not a sentence.
func isBoldTitle(n ast.Node, src []byte) bool {
	e, ok := n.FirstChild().(*ast.Emphasis)
	if !ok || e.Level < 2 || e.NextSibling() != nil {
		return false
	}
	if _, listed := n.Parent().(*ast.ListItem); listed && n.NextSibling() == nil {
		return false
	}
	t := strings.TrimSpace(string(plainOf(n, src).text))
	return len(strings.Fields(t)) <= 10 && !strings.ContainsAny(t[max(0, len(t)-1):], ".!")
}

// isTitleLine reports whether a paragraph is one short line, not a sentence, above sentences or a list: a heading
// without a mark. In an answer that ends no sentence with a full stop, there is no telling, and it returns false.
func isTitleLine(n ast.Node, src []byte) bool {
	next := n.NextSibling()
	if _, ok := n.(*ast.Paragraph); !ok || next == nil || n.Parent().Kind() != ast.KindDocument {
		return false
	}
	t := strings.TrimSpace(string(plainOf(n, src).text))
	if t == "" || len(strings.Fields(t)) > askingWords || strings.ContainsAny(t, "\n[(\"«“") || endsSentence(t) {
		return false
	}
	if _, list := next.(*ast.List); !list && !endsSentence(strings.TrimSpace(string(plainOf(next, src).text))) {
		return false
	}
	words := text.Spaced(t)
	if n.PreviousSibling() == nil && opens(words, askingTitles) && !has(words, verbs) && !has(words, arabicVerbs) {
		return true
	}
	if len(strings.Fields(t)) > titleWords || quantity.HasNumber(t) {
		return false
	}
	return !has(words, verbs) && !has(words, arabicVerbs) && (isTitleCase(t) || opens(words, titleNouns))
}

// askingWords is the most words of an answer's first line that is a title in the form of a question.
const askingWords = 10

// askingTitles begin the first line of an answer that says what it is about: "What the lease of Warehouse 14 says".
var askingTitles = text.FoldAll(`what`, `how`, `why`, `when`, `where`, `who`, `which`, `summary of`, `overview of`,
	`notes on`, `key points of`, `key points on`, `key facts about`, `main points of`,
	`ماذا`, `كيف`, `لماذا`, `متى`, `أين`, `ما الذي`, `ما يقوله`, `ما تقوله`, `ما ينص عليه`, `ما تنص عليه`, `ما جاء في`,
	`ما ورد في`, `ملخص`, `خلاصة`, `نبذة عن`, `أهم ما`, `أبرز ما`)

// endsSentence reports whether a text ends with a full stop, closing marks after it ignored.
func endsSentence(t string) bool {
	t = strings.TrimRight(markPattern.ReplaceAllString(t, ""), " )]\"'”’»*_")
	last, _ := utf8.DecodeLastRuneInString(t)
	return strings.ContainsRune(".!?؟…。۔:：;؛", last)
}

// isTitleCase reports whether all words of an English line but the small ones begin with a capital, and there are
// several.
func isTitleCase(t string) bool {
	words := 0
	for _, w := range text.Tokens(t) {
		switch {
		case w.Stop:
		case !text.IsCapitalised(w.Text):
			return false
		default:
			words++
		}
	}
	return words > 1
}

// titleNouns begin an Arabic title, which has no capitals to be known by.
var titleNouns = text.FoldAll(`أحكام`, `ضوابط`, `شروط`, `ملخص`, `خلاصة`, `سياسة`, `إجراءات`, `قواعد`, `آلية`, `خطوات`,
	`متطلبات`, `تعليمات`, `لائحة`, `دليل`, `أنواع`, `مزايا`, `حقوق`, `واجبات`, `رسوم`, `مواعيد`, `معلومات`, `نبذة`,
	`مقدمة`, `تفاصيل`, `أهم`, `أبرز`, `نتائج`, `أسس`, `معايير`)

// prose makes claims of the sentences of a paragraph or list item.
func (s *splitter) prose(n ast.Node) {
	s.sentences(plainOf(n, s.src))
}

// sentences makes claims of the sentences of a plain text.
func (s *splitter) sentences(t *plain) {
	ruler := text.NewRuler(string(t.text))
	sentences := text.Sentences(string(t.text))
	if len(sentences) == 1 && isColonTitle(string(t.text)) {
		return
	}
	for _, sentence := range sentences {
		s.sentence(t, t.clean(ruler.Byte(sentence.Start), ruler.Byte(sentence.End)))
	}
}

// titleWords is the most words of a line before a colon that is a title.
const titleWords = 6

// isColonTitle reports whether a paragraph only names what follows ("Annual leave rules:"): no verb, no number.
func isColonTitle(t string) bool {
	t = strings.TrimSpace(t)
	if !strings.HasSuffix(t, ":") && !strings.HasSuffix(t, "：") || strings.ContainsAny(t, "\n") ||
		len(strings.Fields(t)) > titleWords {
		return false
	}
	words := text.Spaced(t)
	return !has(words, verbs) && !has(words, arabicVerbs) && !quantity.HasNumber(t)
}

// sentence makes the claims of one sentence: none, one, or one for each part that stands alone.
func (s *splitter) sentence(t *plain, p phrase) {
	intro := strings.HasSuffix(p.s, ":") || strings.HasSuffix(p.s, "：")
	quoted := quotedQuestion.MatchString(p.s)
	p = p.announced().closed()
	if !quoted && saysNothing(p.s, intro) {
		if p.s != "" {
			s.none++
		}
		return
	}
	for _, part := range coordinated(p) {
		s.claim(t, part, intro)
	}
}

// announced takes off what only announces the rest: "Sure, here is the answer: …".
func (p phrase) announced() phrase {
	head, rest, ok := strings.Cut(p.s, ": ")
	if ok && saysNothing(head, true) && !saysNothing(rest, false) && (opens(text.Spaced(head), chatter) ||
		opens(text.Spaced(head), presenting)) {
		return p.slice(len(p.s)-len(rest), len(p.s))
	}
	return p
}

func (s *splitter) claim(t *plain, p phrase, intro bool) {
	span := t.span(p, s.base, s.ruler)
	kind := classify(p.s)
	s.out = append(s.out, ledger.Claim{
		Text: p.s, Type: kind, Importance: weigh(p.s, kind, intro), RequiresCitation: true, Span: &span,
	})
}

var markPattern = regexp.MustCompile("(?i)\\[cite:[^\\]\n]{0,190}\\]|\\[[0-9]{1,3}\\]|【[^】\n]{0,60}】|`")

// clean takes the sentence between two bytes without anchors, footnote marks and backticks, with single spaces and no
// space before a closing mark.
func (t *plain) clean(from, to int) phrase {
	var out phrase
	b := make([]byte, 0, to-from)
	marks := markPattern.FindAllIndex(t.text[from:to], -1)
	for i := from; i < to; i++ {
		if len(marks) > 0 && i == from+marks[0][0] {
			i = from + marks[0][1] - 1
			marks = marks[1:]
			continue
		}
		c := t.text[i]
		if strings.IndexByte(" \t\r\n", c) >= 0 {
			if len(b) == 0 || b[len(b)-1] == ' ' {
				continue
			}
			c = ' '
		}
		if strings.IndexByte(".,;:!?)", c) >= 0 && len(b) > 0 && b[len(b)-1] == ' ' {
			b, out.at = b[:len(b)-1], out.at[:len(out.at)-1]
		}
		b, out.at = append(b, c), append(out.at, i)
	}
	out.s = string(b)
	return out.slice(0, len(b))
}

// closed takes the closing full stop, colon or semicolon off a sentence; an abbreviation keeps its stop.
func (p phrase) closed() phrase {
	end := len(p.s)
	for _, mark := range []string{".", "。", "۔", ";", "؛", ":", "：", "،", ","} {
		if rest, ok := strings.CutSuffix(p.s[:end], mark); ok && !(mark == "." && abbreviated(rest)) {
			end = len(rest)
			break
		}
	}
	return p.slice(0, end)
}

var abbreviationPattern = regexp.MustCompile(`(?i)(\b[a-z]\.[a-z]|\b(inc|ltd|co|corp|etc|jr|sr|st|no|\pL{0,1}\.))$`)

// abbreviated reports whether the stop after s belongs to its last word.
func abbreviated(s string) bool { return abbreviationPattern.MatchString(s) }
