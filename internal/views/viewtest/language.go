package viewtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var (
	arabicWords = regexp.MustCompile(`[\x{0620}-\x{064A}\x{066E}-\x{06D3}]{2,}`)
	latinPhrase = regexp.MustCompile(`\b[A-Za-z]{2,}( [A-Za-z]{2,}){2,}\b`)
	twoWords    = regexp.MustCompile(`\pL\S* +\S*\pL`)
	isolated    = regexp.MustCompile("\u2068[^\u2069]*\u2069")
)

// Unspoken returns the places of a page where a screen reader would take the page's voice for words of the other
// language (WCAG 3.1.2): Arabic words that are marked as English, three Latin words in a row that are marked as Arabic,
// and an element that turns the page's direction for more than a word without a lang. What the criterion exempts is left
// out: a name, which is an isolated run of up to two words, a single Latin term within Arabic, and code. What is being
// typed is in the language of whoever types, and a page's title can hold no element. lang="" says that the language is not known.
func Unspoken(t *testing.T, page string) (faults []string) {
	t.Helper()
	var walk func(n *nethtml.Node, lang, dir string)
	walk = func(n *nethtml.Node, lang, dir string) {
		if n.Type == nethtml.TextNode {
			if otherLanguage(lang, withoutNames(n)) {
				faults = append(faults, place(n)+" is marked as "+lang+": "+strings.TrimSpace(n.Data))
			}
			return
		}
		if n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Textarea ||
			n.DataAtom == atom.Option || n.DataAtom == atom.Title || isCode(n) {
			return
		}
		own, has := attribute(n, "lang")
		if has {
			lang = own
		}
		if turned, is := attribute(n, "dir"); is && turned != "auto" {
			if words := VisibleText(n); dir != "" && turned != dir && !has && twoWords.MatchString(words) {
				faults = append(faults, place(n)+" turns to "+turned+" without lang: "+words)
			}
			dir = turned
		}
		for c := range n.ChildNodes() {
			walk(c, lang, dir)
		}
	}
	walk(parsed(t, page), "", "")
	return faults
}

// otherLanguage reports whether a text has words that are not in the language that it is marked with.
func otherLanguage(lang, text string) bool {
	return lang == "en" && arabicWords.MatchString(text) || lang == "ar" && latinPhrase.MatchString(text)
}

// withoutNames is a text without its isolated runs of up to two words, of which it may be one.
func withoutNames(n *nethtml.Node) string {
	if n.Parent.DataAtom == atom.Bdi && len(strings.Fields(n.Data)) <= 2 {
		return ""
	}
	return isolated.ReplaceAllStringFunc(n.Data, func(run string) string {
		if len(strings.Fields(run)) <= 2 {
			return ""
		}
		return run
	})
}

// isCode reports whether an element is code, or has the font of code: an id, a hash, an address.
func isCode(n *nethtml.Node) bool {
	class, _ := attribute(n, "class")
	return n.DataAtom == atom.Code || n.DataAtom == atom.Pre || n.DataAtom == atom.Kbd ||
		slices.ContainsFunc(strings.Fields(class), func(c string) bool { return c == "mono" || c == "url" })
}

// attribute returns the value of an element's attribute, and whether it has it.
func attribute(n *nethtml.Node, key string) (value string, has bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// place names the element that a node is in, and the one around that.
func place(n *nethtml.Node) string {
	if n.Type == nethtml.TextNode {
		n = n.Parent
	}
	out := n.Data
	if class, has := attribute(n, "class"); has {
		out += "." + class
	}
	if n.Parent != nil {
		class, _ := attribute(n.Parent, "class")
		out = n.Parent.Data + "." + class + " > " + out
	}
	return out
}
