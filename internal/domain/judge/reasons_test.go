package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// TestReasonsAreTrue reads edited sentences with a reader that finds them contradicting: a difference that a match
// names is one that the two sentences have, and is the one that was made.
func TestReasonsAreTrue(t *testing.T) {
	for _, c := range []struct {
		name, source, claim string
		differs             []string // words of which a named difference has one; nil where none may be named
	}{
		{name: "number", source: "The harbour has 14 cranes and two docks.", claim: "The harbour has 41 cranes and two docks.", differs: []string{"14", "41"}},
		{name: "unit of a number", source: "The lease of the harbour runs for 12 years.", claim: "The lease of the harbour runs for 20 years.", differs: []string{"12", "20"}},
		{name: "negator in the source", source: "The port authority does not insure the cargo of visitors.", claim: "The port authority insures the cargo of visitors.", differs: []string{"not"}},
		{name: "negator in the claim", source: "The port authority insures the cargo of visitors.", claim: "The port authority does not insure the cargo of visitors.", differs: []string{"not"}},
		{name: "name", source: "Captain Hollis sailed the ferry from Aden to Muscat.", claim: "Captain Ferrand sailed the ferry from Aden to Muscat.", differs: []string{"Hollis", "Ferrand"}},
		{name: "opposite", source: "The company increased the price of diesel in March.", claim: "The company decreased the price of diesel in March.", differs: []string{"increased", "decreased"}},
		{name: "exception", source: "All boats except tugs pay the harbour fee.", claim: "All boats pay the harbour fee.", differs: []string{"except"}},
		{name: "other words", source: "The pilot boards each ship before dawn.", claim: "Every vessel is met by its pilot after sunrise.", differs: []string{"before", "after"}},
		{name: "the same words", source: "The pilot boards the ship.", claim: "The ship boards the pilot.", differs: nil},
		{name: "nothing in common but a topic", source: "The harbour was dredged twice.", claim: "The harbour is dredged by a Danish firm.", differs: nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, matches, err := judgedWith(t, sayingReader{contradicts: "e"}, c.claim, c.source)
			require.NoError(t, err)
			require.Len(t, matches, 1)
			m := matches[0]
			assert.True(t, m.Contradicts)
			if len(m.Conflicts) == 0 {
				assert.Equal(t, "note_otherwise", m.NoteSaid.ID)
				return
			}
			require.NotNil(t, c.differs, "%s", m.Note)
			for _, d := range m.Conflicts {
				assert.True(t, hasWords(c.claim, d.Claim) && !hasWords(c.source, d.Claim) || d.Claim == "", m.Note)
				assert.True(t, hasWords(c.source, d.Evidence) && !hasWords(c.claim, d.Evidence) || d.Evidence == "", m.Note)
				named := d.Claim + " " + d.Evidence
				ok := false
				for _, word := range c.differs {
					ok = ok || strings.Contains(named, word)
				}
				assert.True(t, ok, m.Note)
			}
		})
	}
}

func hasWords(s, words string) bool { return contains(text.Tokens(s), text.Tokens(words)) }

// TestReasonsOfPart holds that a window that supports in part names no difference that nothing rests on.
func TestReasonsOfPart(t *testing.T) {
	unsure := strings.NewReplacer("[-4, 0.01], [4, 0.95]", "[-4, 0.01], [4, 0.60]").Replace(readerOnly)
	note := func(claim string, evidence ...string) string {
		b, err := ReadBalances([]byte(unsure))
		require.NoError(t, err)
		row := Row{Claim: claim}
		for _, e := range evidence {
			row.Evidence = append(row.Evidence, Evidence{Text: e})
		}
		out := JudgeRow(row, NewEmbeddedWith(sayingReader{supports: "ferry"}, b))
		require.NotEmpty(t, out.Matches)
		return out.Matches[0].Note
	}
	assert.Equal(t, "The judge is not sure that this passage supports the claim.",
		note("The ferry calls at Aden.", "The ferry calls daily at Aden."))
	assert.Equal(t, "The source does not mention: Salalah.",
		note("The ferry calls at Aden and Salalah.", "The ferry calls daily at Aden."))
	assert.Equal(t, "The judge is not sure that this passage supports the claim.",
		note("The ferry calls at Aden and Salalah.", "The ferry calls daily at Aden.", "Ships rest in Salalah."),
		"another source has the word")
	assert.Equal(t, "The judge is not sure that this passage supports the claim.",
		note("The ferry went down to Aden much later.", "The ferry calls daily at Aden."), "such words tell nothing")
	assert.Equal(t, "The source does not mention: 40 hours, Salalah, ballast.",
		note("The ferry went down within 40 hours to Salalah with ballast.", "The ferry calls daily at Aden."))
}

// TestReasonsNameWholeNames holds that where names differ, a reason names them whole.
func TestReasonsNameWholeNames(t *testing.T) {
	for _, c := range []struct{ name, source, claim, want string }{
		{
			name:   "company",
			source: "The ferry from Aden to Muscat belongs to Hollis Shipping Lines.",
			claim:  "The ferry from Aden to Muscat belongs to Ferrand Shipping Lines.",
			want:   "The claim names Ferrand Shipping Lines; the source names Hollis Shipping Lines.",
		},
		{
			name:   "first words of sentences",
			source: "Captain Hollis sailed the ferry from Aden to Muscat.",
			claim:  "Captain Ferrand sailed the ferry from Aden to Muscat.",
			want:   "The claim names Captain Ferrand; the source names Captain Hollis.",
		},
		{
			name:   "one word",
			source: "The ferry sails from Aden to Muscat daily.",
			claim:  "The ferry sails from Aden to Salalah daily.",
			want:   "The claim names Salalah; the source names Muscat.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, matches, err := judgedWith(t, sayingReader{contradicts: "e"}, c.claim, c.source)
			require.NoError(t, err)
			require.Len(t, matches, 1)
			assert.Equal(t, c.want, matches[0].Note)
		})
	}
}

func TestTitleAround(t *testing.T) {
	for _, c := range []struct{ name, sentence, part, want string }{
		{
			name:     "a small word inside",
			sentence: "It needs the Head of Finance Operations, Miriam Okafor.",
			part:     "Operations",
			want:     "Head of Finance Operations",
		},
		{
			name:     "up to a comma",
			sentence: "It needs the Head of Finance Operations, Miriam Okafor.",
			part:     "Okafor",
			want:     "Miriam Okafor",
		},
		{
			name:     "small words at the ends are left out",
			sentence: "The ferry of Aden of old sails.",
			part:     "Aden",
			want:     "Aden",
		},
		{
			name:     "a particle",
			sentence: "It is owned by Omar bin Said of the port.",
			part:     "Omar",
			want:     "Omar bin Said",
		},
		{name: "an initial", sentence: "It is owned by J. Ferrand now.", part: "Ferrand", want: "J. Ferrand"},
		{
			name:     "a hyphen",
			sentence: "It is owned by Anne-Marie Ferrand now.",
			part:     "Marie",
			want:     "Anne-Marie Ferrand",
		},
		{name: "an article before it", sentence: "The Bank of Aden closed.", part: "Aden", want: "Bank of Aden"},
		{name: "a participle before it", sentence: "Flying Emirates is dear.", part: "Emirates", want: "Emirates"},
		{name: "a quantifier before it", sentence: "All Danes sail.", part: "Danes", want: "Danes"},
		{name: "another line", sentence: "Owner\nMiriam Okafor", part: "Okafor", want: "Miriam Okafor"},
		{
			name:     "a heading",
			sentence: "Rules of Leave Pay Travel Harbours Docks Cranes Ships",
			part:     "Travel",
			want:     "Travel",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tokens := text.Tokens(c.sentence)
			at := findAll(tokens, text.Tokens(c.part))[0].from
			span := titleAround(tokens, text.NewRuler(c.sentence), at)
			assert.Equal(t, c.want, text.Slice(c.sentence, text.Span{Start: tokens[span.from].Start, End: tokens[span.to].End}))
		})
	}
}
