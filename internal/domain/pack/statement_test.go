package pack_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// TestStatement: the fields of rule F-9, and the order of subjects.
func TestStatement(t *testing.T) {
	s := example(t)
	var got map[string]any
	payload, err := s.envelope.Verify(public)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(payload, &got))
	require.Equal(t, "https://in-toto.io/Statement/v1", got["_type"])
	require.Equal(t, "urn:sanad:evidence-pack:v2", got["predicateType"])
	var names []string
	for _, x := range got["subject"].([]any) {
		names = append(names, x.(map[string]any)["name"].(string))
	}
	require.Equal(t, []string{"pack.json", "pack.md", "pack.pdf"}, names)
	p := got["predicate"].(map[string]any)
	c := s.frozen.Content
	require.Equal(t, tenant, p["tenant"])
	require.Equal(t, id1, p["packId"])
	require.Equal(t, "RFC8785", p["canonicalization"])
	require.Equal(t, c.ContentRoot, p["contentRoot"])
	require.Equal(t, c.EvidenceMapRoot, p["evidenceMapRoot"])
	require.Equal(t, c.RetainUntil, p["retentionUntil"])
	require.Equal(t, c.CreatedAt, p["createdAt"])
	require.Equal(t, keys.Fingerprint(public), p["keyid"])
	require.Equal(t, map[string]any{"role": "approver", "actor": "u2", "at": "2026-03-02T10:00:00Z",
		"contentSha256": s.frozen.Digest, "logIndex": 5.0,
		"acknowledged": []any{"call_departed:T2", "call_failed:T3", "claims_not_found:ledger", "claims_unreviewed:ledger"}}, p["approvals"].([]any)[0])
	require.Equal(t, map[string]any{"version": 0.0, "class": "A2", "rules": []any{
		map[string]any{"rule": "claims_checked", "level": "must", "outcome": "met"},
		map[string]any{"rule": "critical_reviewed", "level": "must", "outcome": "met"},
		map[string]any{"rule": "all_reviewed", "level": "warn", "outcome": "broken"},
		map[string]any{"rule": "adverse_answered", "level": "must", "outcome": "met"},
		map[string]any{"rule": "quotes_answered", "level": "must", "outcome": "met"},
		map[string]any{"rule": "calls_acknowledged", "level": "must", "outcome": "met"},
		map[string]any{"rule": "override_confirmed", "level": "must", "outcome": "met"},
		map[string]any{"rule": "approver_apart", "level": "must", "outcome": "met"},
		map[string]any{"rule": "judgement_recent", "level": "must", "outcome": "met"},
	}}, p["policy"])
	require.Equal(t, "sanad/"+tenant+"/1", p["logCheckpoint"].(map[string]any)["origin"])
	require.Len(t, p["entries"], 4)
	require.Len(t, s.frozen.Salts.Salts, int(p["contentLeaves"].(float64)))
	require.NotContains(t, string(payload), "Name of u2")
}

func TestNewStatementRefuses(t *testing.T) {
	f := freeze(t, draftOf(hospital(), nil))
	hex := strings.Repeat("0", 64)
	at := audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: 3}
	ok := pack.Approval{Actor: "u2", Digest: f.Digest, LogIndex: 2}
	other, late, none := ok, ok, ok
	other.Digest, late.LogIndex, none.LogIndex = hex, 3, -1
	for name, tt := range map[string]struct {
		md        string
		approvals []pack.Approval
	}{
		"nobody approved": {hex, nil}, "of other bytes": {hex, []pack.Approval{ok, other}},
		"not in the log yet": {hex, []pack.Approval{late}},
		"never logged":       {hex, []pack.Approval{none}}, "not rendered": {"", []pack.Approval{ok}},
	} {
		_, err := pack.NewStatement(f, tt.md, hex, tt.approvals, at, "SHA256:x")
		require.Error(t, err, name)
	}
	_, err := pack.NewStatement(f, hex, hex, []pack.Approval{ok}, at, "SHA256:x")
	require.NoError(t, err)
}

// TestPAE is the example of the DSSE specification (protocol.md).
func TestPAE(t *testing.T) {
	require.Equal(t, "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
		string(pack.PAE("http://example.com/HelloWorld", []byte("hello world"))))
	require.Equal(t, "DSSEv1 1 x 6 عاش", string(pack.PAE("x", []byte("عاش"))), "lengths count bytes")
}

type badSigner struct{ public crypto.PublicKey }

func (s badSigner) Public() crypto.PublicKey { return s.public }
func (badSigner) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return nil, errors.New("no")
}

func TestEnvelopesAreRefused(t *testing.T) {
	_, err := pack.Sign(nil, badSigner{public})
	require.Error(t, err)
	_, err = pack.Sign(nil, badSigner{&ecdsa.PublicKey{Curve: elliptic.P256()}})
	require.Error(t, err)
	s := example(t)
	for name, change := range map[string]func(e *pack.Envelope){
		"no signature":  func(e *pack.Envelope) { e.Signatures = nil },
		"two":           func(e *pack.Envelope) { e.Signatures = append(e.Signatures, e.Signatures[0]) },
		"another type":  func(e *pack.Envelope) { e.PayloadType = "text/plain" },
		"another keyid": func(e *pack.Envelope) { e.Signatures = []pack.Signature{{KeyID: "SHA256:x", Sig: e.Signatures[0].Sig}} },
		"url base64":    func(e *pack.Envelope) { e.Payload = base64.URLEncoding.EncodeToString([]byte("\xff\xff\xff")) },
		"no base64":     func(e *pack.Envelope) { e.Signatures = []pack.Signature{{KeyID: e.KeyID(), Sig: "!"}} },
		"no payload":    func(e *pack.Envelope) { e.Payload = "" },
	} {
		e := *s.envelope
		change(&e)
		_, err := e.Statement(public)
		require.Error(t, err, name)
	}
	_, err = s.envelope.Verify(ed25519.PublicKey("short"))
	require.Error(t, err)
}

// TestLogProofsOfOtherEventsAreRefused: a logged event that is not an approval of this pack proves nothing.
func TestLogProofsOfOtherEventsAreRefused(t *testing.T) {
	s := example(t)
	text := string(s.files.LogProof)
	_, event, err := pack.ParseLogProof(text)
	require.NoError(t, err)
	for name, change := range map[string]func(string) string{
		"another action": func(e string) string { return strings.Replace(e, pack.SignOffAction, "pack.returned", 1) },
		"another pack":   func(e string) string { return strings.Replace(e, id1, id2, 1) },
		"another tenant": func(e string) string { return strings.Replace(e, tenant, "other", 1) },
		"another actor":  func(e string) string { return strings.Replace(e, `"u2"`, `"u3"`, 1) },
		"another digest": func(e string) string { return strings.Replace(e, s.frozen.Digest, strings.Repeat("0", 64), 1) },
		"no event":       func(string) string { return "{}" },
	} {
		p, _, err := pack.ParseLogProof(text)
		require.NoError(t, err)
		changed := []byte(change(string(event)))
		require.NotEqual(t, string(event), string(changed), name)
		f := s.files
		f.LogProof = []byte(pack.LogProof(&p, changed))
		require.Equal(t, pack.Failed, pack.Verify(f, pack.Trust{Key: public}).Status(pack.CheckLog), name)
	}
	for _, bad := range []string{"", "x", text + "\n", strings.Replace(text, "extra ", "extra  ", 1),
		strings.Replace(text, "\n— ", "\n\n— ", 1)} {
		f := s.files
		f.LogProof = []byte(bad)
		require.Equal(t, pack.Failed, pack.Verify(f, pack.Trust{Key: public}).Status(pack.CheckLog), bad)
	}
}

// TestReportsHaveNoControlCharacters: a hostile file cannot write escape sequences.
func TestReportsHaveNoControlCharacters(t *testing.T) {
	c := draftOf(hospital(), nil)
	f := freeze(t, c)
	f.Content.EvidenceMapRoot = "\x1b[2J"
	s := signOff(t, f, "u2")
	payload, err := s.statement.Bytes()
	require.NoError(t, err)
	s.envelope.Signatures[0].KeyID = "\x1b[31m"
	s.envelope.Payload = base64.StdEncoding.EncodeToString(payload)
	s.files.Envelope = bytesOf(t, s.envelope)
	r := pack.Verify(s.files, pack.Trust{Fingerprint: "\x1b[31m"})
	require.Equal(t, pack.Refused, r.Verdict)
	for _, check := range r.Checks {
		require.NotContains(t, check.Detail, "\x1b")
	}
}
