package audit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
)

func TestCheckpoint(t *testing.T) {
	c := audit.Checkpoint{Tenant: tenant, Epoch: 2, Size: 42, Root: audit.LeafHash([]byte("x"))}
	require.Equal(t, "sanad/"+tenant+"/2\n42\n"+c.Root.String()+"\n", c.Body())
	by, key := newSigner(t, c.Origin(), 1)
	_, other := newSigner(t, c.Origin(), 2)
	text, err := audit.Sign(&c, by)
	require.NoError(t, err)
	got, id, err := audit.Open(text, []audit.Key{other, key})
	require.NoError(t, err)
	require.Equal(t, c, got)
	require.Equal(t, key.ID, id)
	_, _, err = audit.Open(text, []audit.Key{other})
	require.Error(t, err)
	wrong, _ := newSigner(t, "sanad/"+tenant+"/1", 1)
	_, err = audit.Sign(&c, wrong)
	require.Error(t, err, "a signer of another epoch")
	for i := range text {
		for bit := range 8 {
			bad := []byte(text)
			bad[i] ^= 1 << bit
			if _, _, err := audit.Open(string(bad), []audit.Key{key}); err == nil {
				t.Fatalf("bit %d of byte %d changed and Open accepted it", bit, i)
			}
		}
	}
}

func TestParseBodyRefuses(t *testing.T) {
	good := (&audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: 7, Root: audit.LeafHash(nil)}).Body()
	_, err := audit.ParseBody(good)
	require.NoError(t, err)
	for _, bad := range []string{
		"", good + "extension\n", strings.TrimSuffix(good, "\n"), strings.Replace(good, "\n7\n", "\n07\n", 1),
		strings.Replace(good, "\n7\n", "\n-7\n", 1),
		strings.Replace(good, "/1\n", "/0\n", 1), strings.Replace(good, "/1\n", "/01\n", 1),
		strings.Replace(good, "/1\n", "\n", 1),
		strings.Replace(good, "sanad", "other", 1), strings.Replace(good, "=\n", "\n", 1), good[:20] + good[21:60],
	} {
		_, err := audit.ParseBody(bad)
		require.Error(t, err, "%q", bad)
	}
}

func TestParseEvent(t *testing.T) {
	e := event(t, 3)
	row := rowOf(t, e)
	got, err := audit.ParseEvent(row.Bytes)
	require.NoError(t, err)
	got.Details, e.Details = nil, nil
	require.Equal(t, e, got)
	good := string(row.Bytes)
	for name, bad := range map[string]string{
		"empty": "", "no object": "[]", "trailing": good + "{}", "space": good + " ",
		"duplicate":     strings.Replace(good, `{"action"`, `{"action":"x","action"`, 1),
		"another field": strings.Replace(good, `{"action"`, `{"aa":1,"action"`, 1),
		"order":         strings.Replace(good, `{"action":"claim.reviewed",`, `{`, 1),
		"large":         strings.Replace(good, `"claim":3`, `"claim":9007199254740992`, 1),
		"surrogate":     strings.Replace(good, `<b>`, `\ud800`, 1), "utf8": strings.Replace(good, `<b>`, "\xff", 1),
		"case":   strings.Replace(good, `"actor"`, `"Actor"`, 1),
		"format": strings.Replace(good, "event/v1", "event/v2", 1),
	} {
		_, err := audit.ParseEvent([]byte(bad))
		require.Error(t, err, name)
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add(rowOf(f, event(f, 1)).Bytes)
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := audit.ParseEvent(data)
		if err != nil {
			return
		}
		require.Equal(t, string(data), string(rowOf(t, e).Bytes))
	})
}

func FuzzCheckpoint(f *testing.F) {
	l := newLog(f, 5)
	f.Add(l.head.Checkpoint)
	f.Add((&audit.Checkpoint{Tenant: tenant, Epoch: 1}).Body())
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := audit.ParseBody(text); err == nil {
			require.Equal(t, text, c.Body())
		}
		if c, _, err := audit.Open(text, []audit.Key{l.key}); err == nil {
			require.Equal(t, l.head.Root, c.Root, "whatever opens is what was signed")
		}
	})
}

func FuzzProof(f *testing.F) {
	l := newLog(f, 9)
	p, err := audit.Prove(4, l.head.Checkpoint, l.reader())
	require.NoError(f, err)
	f.Add(p.String())
	f.Fuzz(func(t *testing.T, text string) {
		p, err := audit.ParseProof(text)
		if err != nil {
			return
		}
		again, err := audit.ParseProof(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
		if _, err := p.Verify(l.entries[4].row.Bytes, []audit.Key{l.key}); err == nil {
			require.Equal(t, int64(4), p.Index)
		}
	})
}
