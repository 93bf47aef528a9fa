package exporters

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/exporttest"
)

// The letterhead stands at the head of a ledger in both languages, in the same bytes each time.
func TestLetterhead(t *testing.T) {
	var format Format
	for _, f := range Formats {
		if f.Name == "pdf" {
			format = f
		}
	}
	for name, letter := range exporttest.Letterheads(t) {
		t.Run(name, func(t *testing.T) {
			exporttest.CheckLetterhead(t, func() []byte {
				data, err := format.Under(letter, time.UTC).RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
				require.NoError(t, err)
				return data
			})
		})
	}
	empty, err := format.Under(&letterhead.Letterhead{}, nil).RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
	require.NoError(t, err)
	without, err := format.RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
	require.NoError(t, err)
	require.Equal(t, without, empty)
}

// Times stand in the organisation's zone, with how far that is from UTC; without a zone they are in UTC.
func TestPDFTimesAreInTheZone(t *testing.T) {
	format, err := FormatByName("pdf")
	require.NoError(t, err)
	l := exporttest.Assess(exporttest.Reviewed())
	l.Session.UpdatedAt = time.Date(2026, 11, 30, 22, 5, 0, 0, time.UTC)
	for zone, want := range map[*time.Location]string{
		nil: "30 Nov 2026, 22:05 UTC ", time.FixedZone("+03", 3*3600): "1 Dec 2026, 01:05 UTC+3 ",
		time.FixedZone("+0530", 5*3600+1800): "1 Dec 2026, 03:35 UTC+5:30 ",
	} {
		data, err := format.Under(nil, zone).RenderIn(l, English)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "ledger.pdf")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		require.Contains(t, exporttest.Tool(t, "pdftotext", "-layout", file, "-"), want)
	}
}
