package exporters

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// TestWhoseFigure checks that all exports agree on whose figure a confidence is, before and after a person replaced the
// judge's verdict (rule L-28).
func TestWhoseFigure(t *testing.T) {
	for name, c := range map[string]struct {
		judge    func(*ledger.Session)
		override bool
		source   ledger.ConfidenceSource
		prob     any // 0.92, or nil
		machine  any
		markdown string
		pdf      string
	}{
		"given": {judge: func(*ledger.Session) {}, source: "caller", markdown: "#1: the caller says 92%",
			pdf: "Similarity 92% in the imported file"},
		"embedded": {judge: embedded, source: "calibrated", prob: 0.92, markdown: "#1: probability 92%",
			pdf: "Probability 92%"},
		"given, overridden": {judge: func(*ledger.Session) {}, override: true, source: "review", machine: "caller",
			markdown: "#1: a reviewer set the verdict, so it has no figure. " +
				"Of the judge's verdict ✓ Supported: the caller says 92%",
			pdf: "Supported · Similarity 92% in the imported file"},
		"embedded, overridden": {judge: embedded, override: true, source: "review", machine: "calibrated",
			markdown: "#1: a reviewer set the verdict, so it has no figure. " +
				"Of the judge's verdict ✓ Supported: probability 92%",
			pdf: "Supported, Probability 92%"},
	} {
		t.Run(name, func(t *testing.T) {
			s := exporttest.English()
			c.judge(s)
			if c.override {
				_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
					Reason: "outdated", By: "u1"}, "r", "Amal Haddad", "reviewer", exporttest.When)
				require.NoError(t, err)
			}
			l := exporttest.Assess(s)
			file, err := json.Marshal(wholeJSON(l).Entries[0])
			require.NoError(t, err)
			api, err := json.Marshal(APILedger(l).Entries[0])
			require.NoError(t, err)
			for _, data := range [][]byte{file, api} {
				var entry map[string]any
				require.NoError(t, json.Unmarshal(data, &entry))
				require.Equal(t, []any{0.92, string(c.source), c.prob, c.machine}, []any{entry["confidence_score"],
					entry["confidence_source"], entry["probability"], entry["machine_confidence_source"]})
				if c.machine == "calibrated" {
					require.InEpsilon(t, 0.92, entry["machine_probability"], 1e-9)
				} else {
					require.NotContains(t, entry, "machine_probability")
				}
			}
			var md bytes.Buffer
			require.NoError(t, Markdown(&md, l))
			require.Contains(t, md.String(), "- "+c.markdown+"\n")
			en, _ := exporttest.Pages(t, pdfFile(t, l))
			require.Contains(t, exporttest.Letters(en), exporttest.Letters(c.pdf))
		})
	}
}

// Exports say what the embedded judge read with, or that it compared words only.
func TestWhatReadTheClaims(t *testing.T) {
	s := exporttest.English()
	reader, calibration := strings.Repeat("a1", 32), strings.Repeat("b2", 32)
	s.Run.Judge, s.Run.Version = "given+embedded", "11"
	s.Run.Parameters = map[string]string{"reader": reader, "calibration": calibration}
	l := exporttest.Assess(s)
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, l))
	require.Contains(t, md.String(), "- **Judge:** given+embedded 11, another reader (a1a1a1a1a1a1…), calibrated, ")
	require.Contains(t, md.String(), "- **Reader:** "+reader+"\n- **Calibration:** "+calibration+"\n")
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	require.Contains(t, exporttest.Letters(en),
		exporttest.Letters("Read with another reader (a1a1a1a1a1a1…), calibration b2b2b2b2b2b2…"))
	require.Contains(t, ar, "a1a1a1a1a1a1")
	file, err := json.Marshal(wholeJSON(l))
	require.NoError(t, err)
	require.Contains(t, string(file), `"reader":"`+reader+`"`)

	s.Run.Parameters["calibration"] = ledger.Uncalibrated
	md.Reset()
	require.NoError(t, Markdown(&md, exporttest.Assess(s)))
	require.Contains(t, md.String(), "- **Judge:** given+embedded 11, another reader (a1a1a1a1a1a1…), not calibrated, ")
	require.Contains(t, md.String(), "- **Calibration:** none\n")
	en, ar = exporttest.Pages(t, pdfFile(t, exporttest.Assess(s)))
	require.Contains(t, exporttest.Letters(en),
		exporttest.Letters("Read with another reader (a1a1a1a1a1a1…), not calibrated"))
	require.NotContains(t, ar, "none")

	shipped := "ec956ca393342b8a0ab2796390c750b12dce83be7eb4243855c5394ed452e62f"
	s.Run.Parameters = map[string]string{"reader": shipped, "calibration": calibration}
	md.Reset()
	require.NoError(t, Markdown(&md, exporttest.Assess(s)))
	require.Contains(t, md.String(), "- **Judge:** given+embedded 11, Sanad’s reader (ec956ca39334…), calibrated, ")
	require.Contains(t, md.String(), "- **Reader:** "+shipped+"\n")
	en, ar = exporttest.Pages(t, pdfFile(t, exporttest.Assess(s)))
	require.Contains(t, exporttest.Letters(en),
		exporttest.Letters("Read with Sanad’s reader (ec956ca39334…), calibration b2b2b2b2b2b2…"))
	require.Contains(t, ar, "ec956ca39334")

	s.Run = ledger.Run{Judge: "lexical", Version: "10"}
	md.Reset()
	require.NoError(t, Markdown(&md, exporttest.Assess(s)))
	require.Contains(t, md.String(), "- **Judge:** lexical 10, words only, ")
	require.NotContains(t, md.String(), "**Reader:**")
}

// embedded makes a session one that the embedded judge judged, whose similarity is a calibrated probability.
func embedded(s *ledger.Session) {
	s.Run.Judge, s.Run.Version = "lexical", "9"
	for i := range s.Claims {
		s.Claims[i].Given, s.Claims[i].Judge = false, "lexical"
	}
}
