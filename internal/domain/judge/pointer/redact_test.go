package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/redact"
)

// What identifies a person is in nothing that is sent, equal values are covered equally, and the evidence keeps the
// words of the source.
func TestRedactedQuestions(t *testing.T) {
	r, err := redact.New([]redact.Pattern{{Kind: "case_no", Expr: `CASE-\d+`}})
	require.NoError(t, err)
	const source = "Sara Ali answers +966 50 123 4567 on weekdays. Her mail is sara@example.com. " +
		"The desk in Jeddah has 0559876543. See CASE-4471."
	secrets := []string{"123 4567", "0501234567", "٠٥٠١٢٣٤٥٦٧", "sara@", "0559876543", "4471"}
	row := judge.Row{Evidence: []judge.Evidence{
		{Doc: strings.Repeat("n", 70) + " of sara@example.com", Text: source},
		{Doc: "أرقام", Text: "رقم جوال سارة ٠٥٠١٢٣٤٥٦٧."},
	}}
	q, err := pointer.Ask(&ledger.Claim{Key: "c1", Text: "Sara answers 0501234567 and reads sara@example.com."},
		judge.NewIndex(judge.RowSession(row)))
	require.NoError(t, err)
	plain := q.Messages()
	require.Contains(t, plain.User, "sara@", "nothing is covered unless it is asked for")

	q.Redact(r)
	m := q.Messages()
	sent := m.System + m.User + q.Statement() + strings.Join(q.Sentences(), " ")
	for _, secret := range secrets {
		require.NotContains(t, sent, secret)
	}
	require.Equal(t, "Sara answers [phone 1] and reads [email 1].", q.Statement())
	require.Contains(t, m.User, "\n> Sara Ali answers [phone 1] on weekdays.")
	require.Contains(t, m.User, "\n> The desk in Jeddah has [phone 2].")
	require.Contains(t, m.User, "\n> رقم جوال سارة [phone 1].")
	require.Contains(t, m.User, "See [case no 1].")
	require.Contains(t, m.System, "equal ones stand for equal values")
	require.NotContains(t, plain.System, "place-holders")
	require.Equal(t, m, q.Messages(), "the same bytes")

	o, err := q.Read(say(q, "supported", q.Objects[0].PointerID), judge.NewLexical(), pointer.Trust{Supported: 0.95})
	require.NoError(t, err)
	require.Contains(t, o.Matches[0].Snippet, "+966 50 123 4567", "the source's words")
}
