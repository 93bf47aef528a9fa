package e2e

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// The page reads the fields that Go reads, no others: its schemas are Go's structs.
func TestVerifyPageKnowsTheFields(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	for name, v := range map[string]any{
		"packSchema": pack.Content{}, "envelopeSchema": pack.Envelope{}, "bundleSchema": pack.Bundle{}, "saltsSchema": pack.Salts{},
		"statementSchema": pack.Statement{}, "eventSchema": audit.Event{}, "proofSchema": pack.Proof{}, "shownSchema": pack.Shown{}, "redactedSchema": pack.Redacted{},
	} {
		want := asJSON(t, schemaOf(t, reflect.TypeOf(v)))
		require.JSONEq(t, want, eval[string](b, "JSON.stringify("+name+")"), name)
	}
	require.Equal(t, pack.Checks, eval[[]string](b, "checkNames"))
}

// schemaOf writes a type as verify.html has it.
func schemaOf(t *testing.T, typ reflect.Type) any {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[json.RawMessage]():
		return "*"
	case typ == reflect.TypeFor[pack.Reason]():
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
		return []any{schemaOf(t, typ.Elem())}
	case reflect.Struct:
		out := map[string]any{}
		addFields(t, typ, out)
		return out
	}
	t.Fatalf("verify.html has nothing for %s", typ)
	return nil
}

func addFields(t *testing.T, typ reflect.Type, out map[string]any) {
	t.Helper()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			addFields(t, f.Type, out)
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
		s := schemaOf(t, ft)
		if word, is := s.(string); is && pointer {
			s = word + "0"
			if optional {
				require.Equal(t, "i", word)
				s = "p"
			}
		}
		if optional {
			name += "?"
		}
		out[name] = s
	}
}
