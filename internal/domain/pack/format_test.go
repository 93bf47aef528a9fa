package pack

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
)

// Writers write exactly the fields that formats.json lists and readers take.
func TestWritersHaveTheFieldsOfTheFormats(t *testing.T) {
	newest := fields
	for name, tt := range map[string]struct{ frozen, written any }{
		"pack.json":          {newest.Pack, Content{}},
		"statement":          {newest.Statement, Statement{}},
		"salts.json":         {newest.Salts, Salts{}},
		"proof":              {newest.Proof, Proof{}},
		"leaf of a proof":    {newest.Shown, Shown{}},
		"redacted copy":      {newest.Redacted, Redacted{}},
		"pack.dsse.json":     {newest.Envelope, Envelope{}},
		"pack.sigstore.json": {newest.Bundle, Bundle{}},
		"event":              {newest.Event, audit.Event{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.frozen, formOf(t, reflect.TypeOf(tt.written)))
		})
	}
	require.Equal(t, erasedForm, formOf(t, reflect.TypeFor[Erased]()))
	require.Equal(t, erasureRecordForm, formOf(t, reflect.TypeFor[ErasureRecord]()))
}

// formOf returns the form of a type's JSON.
func formOf(t *testing.T, typ reflect.Type) any {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[json.RawMessage]():
		return "*"
	case typ == reflect.TypeFor[Reason](): // encoded as its name
		return "s"
	}
	switch typ.Kind() {
	case reflect.String:
		return "s"
	case reflect.Int, reflect.Int64:
		return "i"
	case reflect.Float64:
		return "f"
	case reflect.Bool:
		return "b"
	case reflect.Map: // any object
		return "*"
	case reflect.Slice:
		return []any{formOf(t, typ.Elem())}
	case reflect.Struct:
		out := map[string]any{}
		addForms(t, typ, out)
		return out
	}
	t.Fatalf("there is no form for %s", typ)
	return nil
}

func addForms(t *testing.T, typ reflect.Type, out map[string]any) {
	t.Helper()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			addForms(t, f.Type, out)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		optional := rest == "omitempty"
		ft, pointer := f.Type, f.Type.Kind() == reflect.Pointer
		if pointer {
			ft = ft.Elem()
		}
		form := formOf(t, ft)
		if word, is := form.(string); is && pointer {
			form = word + "0"
			if optional {
				require.Equal(t, "i", word)
				form = "p"
			}
		}
		if optional {
			name += "?"
		}
		out[name] = form
	}
}

func TestVersionNumbers(t *testing.T) {
	for name, want := range map[string]int{
		"sanad.evidence_pack/v1": 1, "sanad.evidence_pack/v2": 2, "sanad.evidence_pack/v10": 10,
		"sanad.evidence_pack/v1000000000": 0,
		"sanad.evidence_pack/v":           0,
		"sanad.evidence_pack/v0":          0, "sanad.evidence_pack/v01": 0, "sanad.evidence_pack/v+1": 0,
		"sanad.evidence_pack/v1.1":                  0,
		"sanad.evidence_pack/v99999999999999999999": 0, "sanad.session/v1": 0, "": 0,
	} {
		require.Equal(t, want, numberOf(name, packs.name), name)
		require.Equal(t, want > 0, SameFormat(name, Format), name)
	}
}

// TestEventNamesTheDelegation: the event of a deputy's approval names the person and the place in the log that the
// Statement names, and neither in one's own name.
func TestEventNamesTheDelegation(t *testing.T) {
	deputy := &StatementBehalf{Actor: "v", LogIndex: 4}
	for _, c := range []struct {
		stated *StatementBehalf
		of     string
		at     int64
		ok     bool
	}{
		{stated: deputy, of: "v", at: 4, ok: true}, {stated: deputy, of: "v", at: 3}, {stated: deputy, of: "v"},
		{stated: deputy, of: "w", at: 4}, {stated: deputy, at: 4},
		{ok: true}, {at: 4}, {of: "v", at: 4}, {of: "v"},
	} {
		s := &Statement{}
		s.Predicate.Tenant, s.Predicate.PackID = "t", "p"
		s.Predicate.Approvals = []StatementApproval{{Actor: "u", ContentSHA256: "d", Acknowledged: []string{}, LogIndex: 9,
			OnBehalfOf: c.stated}}
		details, err := json.Marshal(SignOff{Digest: "d", Acknowledged: []string{}, For: c.of, DelegatedAt: c.at})
		require.NoError(t, err)
		event, err := canonical.JSON(audit.Event{Format: audit.EventFormat, Tenant: "t", Seq: 10, ID: "e",
			At: "2026-03-02T10:00:00Z", Actor: "u", Role: "approver", Action: SignOffAction,
			Object: audit.Object{Kind: "pack", ID: "p"}, Details: details})
		require.NoError(t, err)
		require.Equal(t, c.ok, checkEvent(event, 9, s) == nil, "%+v", c)
	}
}
