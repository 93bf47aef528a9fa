package documents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
)

// TestRaisedAndLoweredStandApart holds that no raised or lowered digit becomes a part of the number that it stands at.
// In the table ^{…} is raised, ^[…] the mark of a note, _{…} lowered, ~…~ struck.
func TestRaisedAndLoweredStandApart(t *testing.T) {
	t.Parallel()
	written := strings.NewReplacer("^{", string(block.RaisedSign), "_{", string(block.LoweredSign), "^[", string(block.MarkSign), "}",
		string(block.LevelSign))
	for file, want := range map[string]string{
		"Trial period: 90^{2} days":      "Trial period: 90 days",
		"Trial period: 90^[2} days":      "Trial period: 90 days",
		"a share of 40^{1,3}%":           "a share of 40%",
		"about 10^{9} stars":             "about 10^9 stars",
		"a charge of 1.6 × 10^{−19} C":   "a charge of 1.6 × 10^-19 C",
		"2^{8} = 256":                    "2^8 = 256",
		"so 7 + 3^{2}":                   "so 7 + 3^2",
		"rooms of 25 m^{2} each":         "rooms of 25 m² each",
		"water H_{2}O and CO_{2}":        "water H2O and CO2",
		"101_{2} is five":                "101_2 is five",
		"on the 21^{st} of May":          "on the 21st of May",
		"5^{1}/_{2} hours":               "5 1/2 hours",
		"^{3}⁄_{4} of it":                "3/4 of it",
		"^{4} See the annex.":            "[4] See the annex.",
		"all staff^{a} and guests":       "all staff [a] and guests",
		"the Act.^{12} It says":          "the Act. [12] It says",
		"Widget^{™} costs 30^{*} riyals": "Widget™ costs 30* riyals",
		"خمسون يوما^{٢} في السنة":        "خمسون يوما [٢] في السنة",
		"the result^{[7]} was":           "the result [7] was",
		"values of 30^{1}5 and more":     "values of 30 5 and more",
		"split 10^{1}^{2} runs":          "split 10^12 runs",
		"price 8^{99} dollars":           "price 8 dollars",
	} {
		var b block.ShownText
		b.B.WriteString(written.Replace(file))
		got, marked := b.Take()
		require.Equal(t, want, got, file)
		require.Empty(t, marked)
	}
}

// TestStruckTextIsTakenOut holds what stands where something is struck, and how the passage is listed.
func TestStruckTextIsTakenOut(t *testing.T) {
	t.Parallel()
	var b block.ShownText
	b.Write("Rent is ")
	b.Between(block.StruckSign, block.StandingSign, "80")
	b.Between(block.StruckSign, block.StandingSign, " euros")
	b.Write(" 95 euros\ufdd4.")
	standing, marked := b.Take()
	require.Equal(t, "Rent is  95 euros.", standing)
	require.Equal(t, "Rent is ~~80 euros~~ 95 euros.", marked)
}
