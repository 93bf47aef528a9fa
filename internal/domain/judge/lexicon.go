package judge

import (
	"embed"
	"strings"
	"sync"

	"sanad/internal/domain/text"
)

// lexiconFiles are the lists of words, one group a line; "#" begins a comment. See README.md for where they come from.
//
//go:embed lexicon
var lexiconFiles embed.FS

// groups is a list of groups of stems: of words that may stand for one another, or that exclude one another.
type groups struct {
	of map[string][]int // stem → the groups it is in
	n  int
}

var (
	forms    = onFirstUse("forms.txt", readGroups) // forms of one word
	synonyms = sync.OnceValue(readSynonyms)        // words of one meaning
	kinds    = onFirstUse("kinds.txt", readKinds)  // words of one kind: one in another's place says something else
	generic  = onFirstUse("generic.txt", readSet)  // words that say little alone
	// opposites holds each side of a line as a group: side 2k stands against side 2k+1
	opposites = onFirstUse("opposites.txt", readOpposites)
	light     = wordSet("must shall should may can cannot could would will might all every each any some many most several always usually often generally only at least no more up per yearly year day days within also both other يجب يمكن يجوز قد كل جميع بعض كافة معظم فقط")
)

// onFirstUse returns a list that is read when it is first asked for: most commands judge nothing, and need not wait for
// it when they start.
func onFirstUse[T any](name string, read func(name string) T) func() T {
	return sync.OnceValue(func() T { return read(name) })
}

// lexiconLines reads the lines of a list that say something.
func lexiconLines(name string) []string {
	data, err := lexiconFiles.ReadFile("lexicon/" + name)
	if err != nil {
		panic(err) // embedded
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func (g *groups) add(words string) {
	id := g.n
	g.n++
	for _, w := range strings.Fields(words) {
		s := stemOf(w)
		if list := g.of[s]; len(list) > 0 && list[len(list)-1] == id {
			continue
		}
		g.of[s] = append(g.of[s], id)
	}
}

func readGroups(name string) *groups {
	g := &groups{of: map[string][]int{}}
	for _, line := range lexiconLines(name) {
		g.add(line)
	}
	return g
}

// readSynonyms reads the list written for this package and the one out of WordNet, which holds stems: so it is read
// fast.
func readSynonyms() *groups {
	g := readGroups("synonyms.txt")
	for _, line := range lexiconLines("wordnet.txt") {
		for stem := range strings.FieldsSeq(line) {
			g.of[stem] = append(g.of[stem], g.n)
		}
		g.n++
	}
	return g
}

// readKinds reads groups whose line begins with the kind's name and a colon.
func readKinds(name string) *groups {
	g := &groups{of: map[string][]int{}}
	for _, line := range lexiconLines(name) {
		_, words, _ := strings.Cut(line, ":")
		g.add(words)
	}
	return g
}

// readOpposites reads lines of two groups with a bar between them.
func readOpposites(name string) *groups {
	g := &groups{of: map[string][]int{}}
	for _, line := range lexiconLines(name) {
		left, right, _ := strings.Cut(line, "|")
		g.add(left)
		g.add(right)
	}
	return g
}

func readSet(name string) map[string]bool {
	out := map[string]bool{}
	for _, line := range lexiconLines(name) {
		for _, w := range strings.Fields(line) {
			out[stemOf(w)] = true
		}
	}
	return out
}

// overlap reports whether two lists of groups have one in common.
func overlap(a, b []int) bool {
	for _, i := range a {
		for _, k := range b {
			if i == k {
				return true
			}
		}
	}
	return false
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

// background holds the stems that are common in ordinary text, one class a line of background.txt, the most common
// first.
type background struct {
	class   map[string]int // of each stem, 0 for the most common
	classes int
}

var readBackground = sync.OnceValue(func() *background {
	lines := lexiconLines("background.txt")
	out := &background{class: map[string]int{}, classes: len(lines)}
	for i, line := range lines {
		for _, stem := range strings.Fields(line) {
			out.class[stem] = i
		}
	}
	return out
})

// commonness is how rare a stem is in ordinary text, from 0 to 1 for one that is not in the table.
func commonness(stem string) float64 {
	return float64(rarityClass(stem)) / float64(readBackground().classes)
}

// rarityClass is the class of a stem in ordinary text, 0 for the most common; one that is not in the table is in the
// class behind the last.
func rarityClass(stem string) int {
	b := readBackground()
	if class, ok := b.class[stem]; ok {
		return class
	}
	return b.classes
}
