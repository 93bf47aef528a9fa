package packs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

func TestDecisionsComeInOnce(t *testing.T) {
	b := dbtest.NewBoard(t)
	req, created, err := b.AddDecision(b.Ctx, b.Machine, dbtest.DecisionOf("dec_1", "A2", 2), dbtest.ReceiptOf("k"))
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, pack.Mandatory, req.Level)
	_, _, err = b.AddDecision(b.Ctx, b.Machine, dbtest.DecisionOf("dec_1", "A2", 2), dbtest.ReceiptOf("k"))
	var replay *db.ReplayError
	require.ErrorAs(t, err, &replay)
	again := dbtest.DecisionOf("dec_1", "A2", 2)
	again.ToolCalls[0].Outputs = json.RawMessage(`{ "a" : 2, "b" : 1.0 }`) // the same value
	req, created, err = b.AddDecision(b.Ctx, b.Machine, again, nil)
	require.NoError(t, err)
	require.False(t, created)
	require.Equal(t, pack.Mandatory, req.Level)
	_, _, err = b.AddDecision(b.Ctx, b.Machine, dbtest.DecisionOf("dec_1", "A3", 2), nil)
	dbtest.RequireKind(t, domain.Conflict, err)
	require.Equal(t, 1, dbtest.Count(t, dbtest.Raw(t, b.Dir), "decisions"))
	require.Equal(t, 1, strings.Count(strings.Join(b.Actions(t, b.Tenant.ID), " "), "decision.added"))

	d, err := b.Decision(b.Ctx, b.Tenant.ID, "dec_1")
	require.NoError(t, err)
	require.True(t, d.Missing())
	require.JSONEq(t, mustJSON(t, dbtest.DecisionOf("dec_1", "A2", 2)), mustJSON(t, d.Decision))
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// TestS3TextIsNotStored looks for S3 texts in every statement and in every byte of the folder.
func TestS3TextIsNotStored(t *testing.T) {
	b := dbtest.NewBoard(t)
	sensitive := func() *pack.Decision {
		d := dbtest.DecisionOf("dec_1", "A0", 2)
		d.Evidence[0].SensitivityClass, d.Evidence[0].Excerpt = "S3", "national-id-1234567890"
		d.ToolCalls[0].SensitivityClass, d.ToolCalls[0].Inputs = "S3",
			json.RawMessage(`{"iban":"national-id-1234567890"}`)
		return d
	}
	stop := b.Trace(func(query string, args []any) {
		require.NotContains(t, query+fmt.Sprint(args...), "1234567890")
	})
	d := sensitive()
	b.Decide(t, d)
	require.NotContains(t, mustJSON(t, d), "1234567890")
	require.NotEmpty(t, d.Evidence[0].ExcerptHash)
	// the salt is per tenant, so this is the same decision
	_, created, err := b.AddDecision(b.Ctx, b.Machine, sensitive(), nil)
	require.NoError(t, err)
	require.False(t, created)
	_, err = b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	unknown := sensitive()
	_, _, err = b.AddDecision(b.Ctx, access.Actor{Tenant: "nope"}, unknown, nil)
	dbtest.RequireKind(t, domain.NotFound, err)
	require.NotContains(t, mustJSON(t, unknown), "1234567890")
	stop()

	other := sensitive()
	_, _, err = b.AddDecision(b.Ctx, access.Actor{Tenant: b.Other.ID, ID: "m", Role: access.Admin}, other, nil)
	require.NoError(t, err)
	require.NotEqual(t, d.Evidence[0].ExcerptHash, other.Evidence[0].ExcerptHash) // another tenant, another salt
	require.NoError(t, filepath.WalkDir(b.Dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), "1234567890", path)
		return err
	}))
}

func TestDecisionLists(t *testing.T) {
	b := dbtest.NewBoard(t)
	for i, class := range []string{"A0", "A1", "A2", "A3", "A2"} {
		b.Decide(t, dbtest.DecisionOf(fmt.Sprintf("dec_%d", i), class, 1))
		if i > 1 {
			b.Pass(time.Second)
		}
	}
	_, err := b.CreatePack(b.Ctx, b.Drafter, "dec_2", db.Answering{})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		q    pack.DecisionQuery
		want []string
	}{
		"all":         {pack.DecisionQuery{}, []string{"dec_4", "dec_3", "dec_2", "dec_1", "dec_0"}},
		"missing":     {pack.DecisionQuery{Missing: true}, []string{"dec_4", "dec_3"}},
		"level":       {pack.DecisionQuery{Level: pack.Mandatory}, []string{"dec_4", "dec_3", "dec_2"}},
		"skip":        {pack.DecisionQuery{Level: pack.Skip}, []string{"dec_0"}},
		"text":        {pack.DecisionQuery{Text: "hospitals dec_1"}, []string{"dec_1"}},
		"no such":     {pack.DecisionQuery{Text: "clinic"}, nil},
		"only commas": {pack.DecisionQuery{Text: ",,"}, nil},
	} {
		for _, limit := range []int{1, 2, 10} {
			var got []string
			q := c.q
			for q.Limit = limit; ; {
				rows, next, err := b.Decisions(b.Ctx, b.Tenant.ID, q)
				require.NoError(t, err)
				for _, r := range rows {
					got = append(got, r.DecisionID)
					require.Equal(t, r.DecisionID == "dec_2", r.PackID != "", r)
					require.Equal(t, r.DecisionID == "dec_3" || r.DecisionID == "dec_4", r.Missing)
				}
				if q.After = next; next == "" {
					break
				}
			}
			require.Equal(t, c.want, got, "%s by %d", name, limit)
		}
	}
	n, err := b.MissingPacks(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	for _, after := range []string{"x", "e30", "bnVsbA"} {
		_, _, err = b.Decisions(b.Ctx, b.Tenant.ID, pack.DecisionQuery{After: after})
		dbtest.RequireKind(t, domain.Invalid, err)
		_, _, err = b.Packs(b.Ctx, b.Tenant.ID, pack.Query{After: after})
		dbtest.RequireKind(t, domain.Invalid, err)
	}
}
