package packs

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
)

const tenant = "5e7a0a52-6b1c-4f7e-9d0e-111111111111"

// createdAt is a time after the demo's decisions.
var createdAt = time.Date(2026, 11, 20, 7, 15, 0, 0, time.UTC)

var secret = []byte("the secret of one pack")

// demoDecision returns one of the decisions of `sanad demo`.
func demoDecision(t testing.TB, name string) *pack.Decision {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../../cmd/web/demo", "decision-"+name+".json"))
	require.NoError(t, err)
	var d pack.Decision
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&d))
	require.Empty(t, d.Validate(), name)
	pack.SealRestricted(&d, secret)
	return &d
}

// demoMemo returns the memo of a demo decision.
func demoMemo(t testing.TB, name string) (m pack.BilingualMemo) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../../cmd/web/demo", "memo-"+name+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &m))
	return m
}

func demoNames(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../../cmd/web/demo/decision-*.json")
	require.NoError(t, err)
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "decision-"), ".json"))
	}
	return out
}

// content returns a draft for a decision.
func content(d *pack.Decision, l *ledger.Ledger) pack.Content {
	c := pack.Assemble(d, pack.Opening{PackID: "pack_0123456789abcdef", TenantID: tenant, At: createdAt}, l)
	c.SetPolicy(pack.DefaultPolicy())
	return c
}

var (
	maker     = access.Actor{ID: "act_maker", User: "سارة العتيبي", Role: access.Reviewer, Human: true}
	approvers = []access.Actor{
		{ID: "act_first", User: "Khalid Al-Mutairi", Title: "Head of Procurement", Role: access.Approver, Human: true},
		{ID: "act_second", User: "نورة الشمري", Title: "مديرة المخاطر", Role: access.Admin, Human: true},
	}
)

// inState takes a draft through its life cycle up to a state: draft, in_review, returned or signed_off.
func inState(t testing.TB, state pack.State, c pack.Content, comment string) *Document {
	t.Helper()
	life, err := pack.Open(&c, maker)
	require.NoError(t, err)
	if state == pack.Draft {
		return NewDocument("مجموعة الخليج الصحية", &pack.Frozen{Content: c}, life)
	}
	f, err := pack.Freeze(c, secret)
	require.NoError(t, err)
	chain := pack.Chain{life}
	faults := c.Validate(nil)
	require.False(t, pack.Broken(faults), "%v", faults)
	require.NoError(t, chain.Submit(maker, life.Revision, createdAt.Add(time.Hour), faults, f.Digest))
	switch state {
	case pack.Returned:
		require.NoError(t, chain.Return(approvers[0], life.Revision, createdAt.Add(2*time.Hour), comment))
	case pack.SignedOff:
		for i := range life.Need {
			_, err := chain.Approve(approvers[i], life.Revision, createdAt.Add(time.Duration(i+2)*time.Hour),
				pack.Signing{Digest: f.Digest, Comment: comment, Acknowledged: alarmsOf(f)})
			require.NoError(t, err)
		}
		require.Equal(t, pack.SignedOff, life.State)
	}
	return NewDocument("مجموعة الخليج الصحية", f, life)
}

// alarmsOf returns the ids of a pack's alarms.
func alarmsOf(f *pack.Frozen) (out []string) {
	for _, a := range f.Content.Alarms {
		out = append(out, a.ID)
	}
	return out
}

// fixtures are packs in each state, in both languages, with and without a ledger.
var fixtures = map[string]func(t testing.TB) *Document{
	"hospital": func(t testing.TB) *Document {
		c := content(demoDecision(t, "hospital-fit"), exporttest.Assess(exporttest.Reviewed()))
		require.NoError(t, c.SetMemo(demoMemo(t, "hospital-fit")))
		return inState(t, pack.SignedOff, c, "Agreed; keep the note of 4 March confidential.")
	},
	"payment": func(t testing.TB) *Document {
		return inState(t, pack.SignedOff, content(demoDecision(t, "supplier-payment"), nil),
			"اطّلعت على التعارض، وصدر توجيه باسترداد المبلغ وبإيقاف الصرف الآلي.")
	},
	"credit": func(t testing.TB) *Document {
		return inState(t, pack.Returned, content(demoDecision(t, "credit-limit"), nil),
			"The draft guarantee is not a basis; attach the signed letter. يُرفق خطاب الضمان الموقّع.")
	},
	"cloud": func(t testing.TB) *Document {
		return inState(t, pack.Draft, content(demoDecision(t, "cloud-renewal"), exporttest.Assess(exporttest.Arabic())), "")
	},
	"tender": func(t testing.TB) *Document {
		d := inState(t, pack.InReview, content(demoDecision(t, "tender-reply"), nil), "")
		d.Tenant = ""
		return d
	},
}
