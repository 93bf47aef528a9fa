package notify

import (
	"slices"
	"strings"
	"unicode"
)

// MaxMentions is how many people one text addresses at most; what looks like further mentions is plain text.
const MaxMentions = 20

// Mention is a person who is addressed in a text, as in "@Sara Haddad". The text keeps what was typed.
type Mention struct {
	Start  int    `json:"start"`  // of the @, in code points
	Length int    `json:"length"` // with the @
	ID     string `json:"id"`     // of the person
	Name   string `json:"-"`      // as shown now; set by the store
}

// Addressee is somebody who can be mentioned.
type Addressee struct{ ID, Name, Login string }

// Addressed returns the ids of who is addressed, each once.
func Addressed(list []Mention) (ids []string) {
	for _, m := range list {
		if !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Others returns the people of a thread who are told of what one of them did, each once: neither who did it nor those
// whom its text addresses, who are told of that.
func Others(people []string, addressed []Mention, by string) (out []string) {
	told := append(Addressed(addressed), by, "")
	for _, id := range people {
		if !slices.Contains(told, id) {
			told, out = append(told, id), append(out, id)
		}
	}
	return out
}

// FindMentions returns who is addressed in a text: an @ that does not follow a letter or a figure, then the whole name
// or login name of somebody, in either case; of a name in two languages each is enough. The longest that fits counts. A
// name that two people share addresses neither of them; their login names do.
func FindMentions(text string, people []Addressee) []Mention {
	if !strings.ContainsRune(text, '@') {
		return nil
	}
	runes, names := foldedRunes(text), addressBook(people)
	var out []Mention
	for i := 0; i < len(runes) && len(out) < MaxMentions; i++ {
		if runes[i] != '@' || i > 0 && inWord(runes[i-1]) {
			continue
		}
		if n, id := longestName(runes[i+1:], names); id != "" {
			out = append(out, Mention{Start: i, Length: n + 1, ID: id})
			i += n
		}
	}
	return out
}

// called is one way to address somebody: folded, longest first in an address book.
type called struct {
	name []rune
	id   string // "" if several people are called so
}

func addressBook(people []Addressee) []called {
	ids := map[string]string{}
	for _, p := range people {
		for _, name := range namesOf(p.Name) {
			if other, taken := ids[name]; taken && other != p.ID {
				ids[name] = ""
				continue
			}
			ids[name] = p.ID
		}
	}
	for _, p := range people {
		ids[string(foldedRunes(p.Login))] = p.ID // belongs to one person, whatever others are named
	}
	delete(ids, "")
	out := make([]called, 0, len(ids))
	for name, id := range ids {
		out = append(out, called{[]rune(name), id})
	}
	slices.SortFunc(out, func(a, b called) int {
		if len(a.name) != len(b.name) {
			return len(b.name) - len(a.name)
		}
		return slices.Compare(a.name, b.name)
	})
	return out
}

// namesOf returns a shown name, folded, and each of its parts where it has two: "Sara Haddad · سارة حداد".
func namesOf(name string) []string {
	folded := string(foldedRunes(name))
	out := []string{folded}
	if parts := strings.Split(folded, " · "); len(parts) > 1 {
		for _, p := range parts {
			out = append(out, strings.TrimSpace(p))
		}
	}
	return out
}

// longestName returns the longest name that a text begins with and that ends where a word does.
func longestName(text []rune, names []called) (length int, id string) {
	for _, c := range names {
		n := len(c.name)
		if n <= len(text) && slices.Equal(text[:n], c.name) && (n == len(text) || !inWord(text[n])) {
			return n, c.id
		}
	}
	return 0, ""
}

// foldedRunes returns the code points of a text in lower case, each for one of the text's.
func foldedRunes(s string) []rune {
	out := []rune(s)
	for i, r := range out {
		out[i] = unicode.ToLower(r)
	}
	return out
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}
