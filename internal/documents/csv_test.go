package documents

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
)

func readCells1(t *testing.T, name, data string) *Document {
	t.Helper()
	d, err := Read(t.Context(), "files[0]", name, []byte(data), Options{Bytes: 10 << 20})
	require.NoError(t, err)
	return d
}

func TestCSV(t *testing.T) {
	const fees = "2 | Card | Fee |\n|---|---|\n| Gold | 25 |"
	for name, tt := range map[string]struct {
		file, data string
		want       []string
		warns      string
	}{
		"commas":                 {file: "a.csv", data: "Card,Fee\nGold,25\nSilver,20\n", want: []string{fees, "3 | Card | Fee |\n|---|---|\n| Silver | 20 |"}, warns: ""},
		"a byte order mark":      {file: "a.csv", data: "\ufeffCard,Fee\r\nGold,25\r\n", want: []string{fees}, warns: ""},
		"semicolons":             {file: "a.csv", data: "Card;Fee\nGold;25\n", want: []string{fees}, warns: "separated by semicolons"},
		"decimal commas":         {file: "a.csv", data: "Card;Fee\nGold;2,5\nSilver;3,75\n", want: []string{"2 | Card | Fee |\n|---|---|\n| Gold | 2,5 |", "3 | Card | Fee |\n|---|---|\n| Silver | 3,75 |"}, warns: "semicolons"},
		"bars":                   {file: "a.csv", data: "Card|Fee\nGold|25\n", want: []string{fees}, warns: "separated by vertical bars"},
		"tabs in a .csv":         {file: "a.csv", data: "Card\tFee\nGold\t25\n", want: []string{fees}, warns: "separated by tabs"},
		"tabs":                   {file: "a.tsv", data: "Card\tFee\nGold\t25\n", want: []string{fees}, warns: ""},
		"a stated delimiter":     {file: "a.csv", data: "sep=;\nCard;Fee\nGold;25\n", want: []string{fees}, warns: "semicolons"},
		"a line break in a cell": {file: "a.csv", data: "Card,Fee\n\"Gold\nplus\",25\nSilver,20\n", want: []string{"2 | Card | Fee |\n|---|---|\n| Gold plus | 25 |", "3 | Card | Fee |\n|---|---|\n| Silver | 20 |"}, warns: ""},
		"quotes and bars":        {file: "a.csv", data: "Card,Fee\n\"Gold \"\"A|B\"\"\",25\n", want: []string{"2 | Card | Fee |\n|---|---|\n| Gold \"A\\|B\" | 25 |"}, warns: ""},
		"a quote that is open":   {file: "a.csv", data: "Card,Fee\nGold 5\" wide,25\n", want: []string{"2 | Card | Fee |\n|---|---|\n| Gold 5\" wide | 25 |"}, warns: "are unbalanced"},
		"rows of other lengths":  {file: "a.csv", data: "Card,Fee\nGold,25,extra\nSilver\n", want: []string{"2 | Card | Fee | |\n|---|---|---|\n| Gold | 25 | extra |", "3 | Card | Fee | |\n|---|---|---|\n| Silver | | |"}, warns: ""},
		"no heads":               {file: "a.csv", data: "Ali,34,Doha\nSara,29,Lusail\n", want: []string{"1 | | | |\n|---|---|---|\n| Ali | 34 | Doha |", "2 | Sara | 29 | Lusail |"}, warns: ""},
		"empty lines":            {file: "a.csv", data: "Card,Fee\n\nGold,25\n", want: []string{"3 | Card | Fee |\n|---|---|\n| Gold | 25 |"}, warns: ""},
		"old line ends":          {file: "a.csv", data: "Card,Fee\rGold,25\r", want: []string{fees}, warns: ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := readCells1(t, tt.file, tt.data)
			require.Equal(t, tt.want, said(d.Blocks))
			warned := ""
			for _, w := range d.Warnings {
				warned += w.String()
			}
			if tt.warns == "" {
				require.Empty(t, warned)
			}
			require.Contains(t, warned, tt.warns)
		})
	}
}

func TestCSVEncodings(t *testing.T) {
	const arabic, german = "البند,المبلغ\nالرواتب,1500\n", "Größe,Straße\nschön,5\n"
	in1256, err := charmap.Windows1256.NewEncoder().String(arabic)
	require.NoError(t, err)
	in1252, err := charmap.Windows1252.NewEncoder().String(german)
	require.NoError(t, err)
	in16 := ""
	for _, u := range utf16.Encode([]rune(arabic)) {
		in16 += string([]byte{byte(u), byte(u >> 8)})
	}
	for name, tt := range map[string]struct{ data, words, warns string }{
		"windows-1256":    {in1256, "الرواتب", "windows-1256"},
		"windows-1252":    {in1252, "schön", "windows-1252"},
		"UTF-16":          {"\xFF\xFE" + in16, "الرواتب", ""},
		"UTF-16, no mark": {in16, "الرواتب", "UTF-16"},
		"UTF-8":           {arabic, "الرواتب", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := readCells1(t, "a.csv", tt.data)
			require.Contains(t, d.Blocks[0].Text, tt.words)
			require.Equal(t, tt.warns != "", len(d.Warnings) > 0)
			if tt.warns != "" {
				require.Contains(t, d.Warnings[0].String(), tt.warns)
			}
		})
	}
	_, err = Read(t.Context(), "files[0]", "a.csv", []byte("a,\x81\x8d\n"), Options{Bytes: 10 << 20})
	require.ErrorContains(t, err, "is not UTF-8 text", "signs that none of them has")
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "sep=;\na;\"b\n", "\"", "a\tb|c\r\r", "\ufeff,,\n\n,"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		if p, err := Parse(filetype.CSV.MediaType, []byte(strings.ToValidUTF8(s, "?"))); err == nil {
			ledger.ChunkBlocks(p.Blocks, 0)
		}
	})
}
