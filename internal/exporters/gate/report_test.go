package gate_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/gate"
	"sanad/internal/exporters/sariftest"
)

// hostile is text that would break out of its place in XML or JSON.
const hostile = "a\x01b\x1b[31m ]]> <!-- & \" ' \u202e \u2028 \xff \U0010ffff\ufffe نص"

// hostileReport has that text in every place that holds foreign text.
func hostileReport() *gate.Report {
	fault := gate.Fault{
		Fault: ledger.Fault(ledger.Contradicted), Cause: hostile,
		Source: &gate.Passage{Document: hostile, Where: "page 3", Words: hostile, Span: &text.Span{Start: 4, End: 9}},
	}
	unplaced := gate.Fault{
		Fault: ledger.Fault(ledger.Weak), Cause: hostile,
		Source: &gate.Passage{Document: "a b:c/٣.pdf", Words: hostile},
	}
	claim := gate.Claim{
		Number: 1, Key: hostile, Text: hostile, Span: &text.Span{Start: 0, End: 7},
		Faults: []gate.Fault{fault, unplaced},
	}
	return &gate.Report{
		File: "a:b/ن " + hostile, Judge: "lexical 1",
		Refused: []gate.Refusal{{Row: "[2]", Line: 3, Why: hostile}},
		Sessions: []gate.Session{
			{
				Row: "[0]", Line: 1, Name: hostile, Digest: "d1",
				Faults: []gate.Fault{{Fault: ledger.FaultCoverage, Cause: hostile}},
				Claims: []gate.Claim{claim, {Number: 2, Text: "nowhere", Faults: []gate.Fault{unplaced}}},
			},
			{Row: "[1]", Line: 2, Claims: []gate.Claim{{Number: 1, Text: hostile}, {Number: 2, Unjudged: true}}},
		},
	}
}

// Foreign text stays text: the JUnit file is well-formed XML with everything in it that XML can hold, the SARIF file is
// valid by its schema, and both are the same bytes each time.
func TestGateReportsOfHostileText(t *testing.T) {
	var junit, sarif, again bytes.Buffer
	require.NoError(t, gate.WriteJUnit(&junit, hostileReport()))
	require.NoError(t, gate.WriteSARIF(&sarif, hostileReport()))
	requireXML(t, junit.String())
	sariftest.Valid(t, sarif.Bytes())
	require.NoError(t, gate.WriteJUnit(&again, hostileReport()))
	require.NoError(t, gate.WriteSARIF(&again, hostileReport()))
	require.Equal(t, junit.String()+sarif.String(), again.String())

	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Name     string `xml:"name,attr"`
				Failures []struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(junit.Bytes(), &suites))
	require.Equal(t, []int{7, 3, 1, 1}, []int{suites.Tests, suites.Failures, suites.Errors, suites.Skipped})
	said := suites.Suites[0].Cases[1].Failures[0].Message
	require.Contains(t, said, "]]> <!-- & \" '")
	require.Contains(t, said, "نص")
	require.Contains(t, said, "a\ufffdb\ufffd[31m", "XML has no control characters")
}

// requireXML fails unless the text is well-formed and free of characters that XML 1.0 forbids.
func requireXML(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}
