package exporters

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// TestPDFSignatures checks that a closed ledger names who decided its claims and who closed it, and that an open one has
// no such block.
func TestPDFSignatures(t *testing.T) {
	l := exporttest.Board(12)
	en, _ := exporttest.Pages(t, pdfFile(t, l))
	require.NotContains(t, exporttest.Letters(en), exporttest.Letters("Closed the session"))
	l.Session.Closing = ledger.Closing{At: exporttest.When.Add(time.Hour), By: "Khalid Al-Mutairi",
		Reason: "All that matters is settled."}
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	for _, want := range []string{"Signatures", "Decided claims: 1", "Khalid Al-Mutairi", "Closed the session",
		"3 Jan 2026, 15:30 UTC", "All that matters is settled."} {
		require.Contains(t, exporttest.Letters(en), exporttest.Letters(want))
	}
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters("أغلق الجلسة"))
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters("Khalid Al-Mutairi"))
}

// TestSignatories checks that a person who decides a claim twice decides one claim, that what was taken back does not
// count, and that two people of one name are two.
func TestSignatories(t *testing.T) {
	s := exporttest.English()
	at := func(n int) time.Time { return exporttest.When.Add(time.Duration(n) * time.Hour) }
	s.Claims[0].Reviews = []ledger.Review{
		{Actor: "Amal", Role: "reviewer", At: at(1), Action: ledger.Confirm},
		{Actor: "Omar", Role: "approver", At: at(2), Action: ledger.Comment, Reason: "x"},
		{Actor: "Amal", Role: "approver", At: at(3), Action: ledger.Override, Verdict: ledger.Weak, Reason: "y"},
	}
	s.Claims[1].Reviews = []ledger.Review{{Actor: "Amal", Role: "reviewer", At: at(2), Action: ledger.Confirm}}
	got := signatories(exporttest.Assess(s))
	require.Len(t, got, 1)
	require.Equal(t, signatory{name: "Amal", role: "approver", decided: 2, last: at(3)}, *got[0])
	s.Claims[1].Reviews = []ledger.Review{
		{ID: "1", By: "b", Actor: "Amal", Role: "reviewer", At: at(2), Action: ledger.Confirm},
		{ID: "2", By: "c", Actor: "Badr", Role: "reviewer", At: at(3), Action: ledger.Confirm},
		{ID: "3", By: "c", Actor: "Badr", Role: "reviewer", At: at(4), Action: ledger.Undo, Undoes: 2},
	}
	got = signatories(exporttest.Assess(s))
	require.Len(t, got, 2)
	require.Equal(t, []signatory{{name: "Amal", role: "approver", decided: 1, last: at(3)},
		{name: "Amal", role: "reviewer", decided: 1, last: at(2)}}, []signatory{*got[0], *got[1]})
}
