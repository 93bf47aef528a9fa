package pack_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

var stranger = ed25519.NewKeyFromSeed(slices.Repeat([]byte{8}, 32)).Public().(ed25519.PublicKey)

// TestProofOfEachLeaf: each claim, excerpt, memo field and tool call is proven without the rest, also to another
// library.
func TestProofOfEachLeaf(t *testing.T) {
	s := example(t)
	for _, l := range s.frozen.Salts.Salts {
		p, err := pack.Prove(s.frozen, s.envelope, pem(t), l.Kind, l.ID)
		if l.Kind == pack.LeafBlind {
			require.Equal(t, domain.NotFound, domain.KindOf(err), "the blind cannot be proved")
			continue
		}
		require.NoError(t, err)
		data := bytesOf(t, p)
		got, err := pack.ParseProof(data)
		require.NoError(t, err)
		statement, shown, err := got.Verify(public)
		require.NoError(t, err)
		require.Equal(t, pack.LeafSalt{Kind: shown.Kind, ID: shown.ID, Salt: shown.Salt}, l)
		require.Equal(t, id1, statement.Predicate.PackID)
		for _, other := range s.frozen.Salts.Salts {
			require.Equal(t, other == l, strings.Contains(string(data), other.Salt), "no other salt")
		}
		require.NotContains(t, string(data), s.frozen.Content.Blind)
		checkElsewhere(t, p, statement.Predicate.ContentRoot)
		_, _, err = got.Verify(stranger)
		require.Error(t, err)
	}
	for _, none := range [][2]string{{pack.LeafClaim, "clm_999"}, {"x", "clm_001"}, {pack.LeafExcerpt, "E0"}} {
		_, err := pack.Prove(s.frozen, s.envelope, pem(t), none[0], none[1])
		require.Equal(t, domain.NotFound, domain.KindOf(err))
	}
}

func checkElsewhere(t *testing.T, p *pack.Proof, root string) {
	t.Helper()
	var path [][]byte
	for _, h := range p.Hashes {
		b, err := hex.DecodeString(h)
		require.NoError(t, err)
		path = append(path, b)
	}
	want, err := hex.DecodeString(root)
	require.NoError(t, err)
	leaf := rfc6962.DefaultHasher.HashLeaf(p.Leaf)
	require.NoError(t, proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(p.Index), uint64(p.Size), leaf, path, want))
}

func TestWrongProofsFail(t *testing.T) {
	s := example(t)
	other := signOff(t, freeze(t, draftOf(hospital(), session(7))), "u2")
	make1 := func() *pack.Proof {
		p, err := pack.Prove(s.frozen, s.envelope, pem(t), pack.LeafClaim, "clm_002")
		require.NoError(t, err)
		return p
	}
	for name, change := range map[string]func(p *pack.Proof){
		"another verdict":  func(p *pack.Proof) { p.Leaf = []byte(strings.Replace(string(p.Leaf), `"weak"`, `"supported"`, 1)) },
		"another text":     func(p *pack.Proof) { p.Leaf = []byte(strings.Replace(string(p.Leaf), "Claim 2", "Claim 3", 1)) },
		"another salt":     func(p *pack.Proof) { p.Leaf = []byte(strings.Replace(string(p.Leaf), `"salt":"`, `"salt":"0`, 1)) },
		"spaces":           func(p *pack.Proof) { p.Leaf = append([]byte(" "), p.Leaf...) },
		"another place":    func(p *pack.Proof) { p.Index++ },
		"a negative place": func(p *pack.Proof) { p.Index = -1 },
		"another size":     func(p *pack.Proof) { p.Size++ },
		"no tree":          func(p *pack.Proof) { p.Size = 0 },
		"a huge tree":      func(p *pack.Proof) { p.Size = 1 << 62 },
		"a shorter path":   func(p *pack.Proof) { p.Hashes = p.Hashes[1:] },
		"a longer path":    func(p *pack.Proof) { p.Hashes = append(p.Hashes, p.Hashes[0]) },
		"a path of any":    func(p *pack.Proof) { p.Hashes[0] = "" },
		"another pack's":   func(p *pack.Proof) { p.DSSE = *other.envelope },
		"another payload":  func(p *pack.Proof) { p.DSSE.Payload = other.envelope.Payload },
		"another form":     func(p *pack.Proof) { p.Format = "x" },
	} {
		p := make1()
		change(p)
		_, _, err := p.Verify(public)
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
	_, _, err := make1().Verify(public)
	require.NoError(t, err)
}

func redaction(kind, id string) pack.Redaction {
	return pack.Redaction{Kind: kind, ID: id, Reason: "Names a person.", Rule: "PDPL art. 4"}
}

// redact returns a copy of a signed pack without some leaves.
func redact(t testing.TB, s *signed, what ...pack.Redaction) *pack.Redacted {
	t.Helper()
	r, err := pack.Redact(s.frozen, s.envelope, what)
	require.NoError(t, err)
	require.NoError(t, r.Sign(key))
	return r
}

// distinct returns a pack in which no two leaves have the same text.
func distinct(t testing.TB) *signed {
	t.Helper()
	d := hospital()
	c := draftOf(d, session(4))
	require.NoError(t, c.SetMemo(pack.BilingualMemo{
		TitleEN: "memo-title-en", TitleAR: "عنوان المذكرة", ExecutiveSummaryEN: "memo-summary-en",
		ExecutiveSummaryAR: "ملخص المذكرة",
		BodyEN:             "memo-body-en [E1] [E2] [E4]", BodyAR: "متن المذكرة [E1] [E2] [E4]",
	}))
	return signOff(t, freeze(t, c), "u2")
}

func TestRedactedCopiesVerifyAndRevealNothing(t *testing.T) {
	s := distinct(t)
	for _, tt := range []struct{ kind, id, secret string }{
		{pack.LeafClaim, "clm_002", "Claim 2."},
		{pack.LeafExcerpt, "E3", "The hospital opens a second tower."},
		{pack.LeafMemo, "body_ar", "متن المذكرة"},
		{pack.LeafCall, "T2", "created note id=9 in HubSpot"},
	} {
		data := bytesOf(t, redact(t, s, redaction(tt.kind, tt.id)))
		require.Contains(t, string(s.frozen.Bytes), tt.secret)
		require.NotContains(t, string(data), tt.secret)
		require.NotContains(t, string(data), s.frozen.Content.Blind)
		salts := 0
		for _, l := range s.frozen.Salts.Salts {
			if strings.Contains(string(data), l.Salt) {
				salts++
			}
		}
		require.Equal(t, len(s.frozen.Salts.Salts)-2, salts, "neither the salt of the leaf nor the blind's")
		got, err := pack.ParseRedacted(data)
		require.NoError(t, err)
		statement, leftOut, err := got.Verify(public)
		require.NoError(t, err)
		require.Equal(t, 1, leftOut)
		require.Equal(t, s.frozen.Content.ContentRoot, statement.Predicate.ContentRoot)
		_, _, err = got.Verify(stranger)
		require.Error(t, err)
	}
}

// TestRedactedTextCannotBeGuessed: even the right guess does not reproduce pack.json's digest.
func TestRedactedTextCannotBeGuessed(t *testing.T) {
	s := distinct(t)
	r := redact(t, s, redaction(pack.LeafCall, "T1"))
	var full map[string]any
	require.NoError(t, json.Unmarshal(s.frozen.Bytes, &full))
	guess := r.Pack
	guess["tool_calls"].([]any)[0] = full["tool_calls"].([]any)[0]
	for _, blind := range []any{r.Pack["blind"], "", strings.Repeat("0", 64)} {
		guess["blind"] = blind
		data, err := canonical.JSON(guess)
		require.NoError(t, err)
		require.NotEqual(t, s.frozen.Digest, pack.Digest(data))
	}
	guess["blind"] = full["blind"]
	data, err := canonical.JSON(guess)
	require.NoError(t, err)
	require.Equal(t, s.frozen.Digest, pack.Digest(data), "with the blind, the right guess reproduces the digest")
}

func TestRedactRefuses(t *testing.T) {
	s := distinct(t)
	for name, r := range map[string]pack.Redaction{
		"head": redaction(pack.LeafHead, id1), "unknown": redaction(pack.LeafClaim, "x"),
		"kind":      redaction("y", "clm_001"),
		"no reason": {Kind: pack.LeafClaim, ID: "clm_001", Rule: "x"},
		"no rule":   {Kind: pack.LeafClaim, ID: "clm_001", Reason: "x"},
	} {
		_, err := pack.Redact(s.frozen, s.envelope, []pack.Redaction{r})
		require.Error(t, err, name)
	}
}

// TestRedactRefusesExcerptsQuotedElsewhere: the drafted memo quotes the top excerpts.
func TestRedactRefusesExcerptsQuotedElsewhere(t *testing.T) {
	s := example(t)
	_, err := pack.Redact(s.frozen, s.envelope, []pack.Redaction{redaction(pack.LeafExcerpt, "E1")})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	require.ErrorContains(t, err, "memo body_ar, memo body_en")
	require.NotContains(t, err.Error(), "healthcare")
	r := redact(t, s, redaction(pack.LeafExcerpt, "E1"), redaction(pack.LeafMemo, "body_ar"),
		redaction(pack.LeafMemo, "body_en"))
	require.NotContains(t, string(bytesOf(t, r)), "industry: healthcare")
}

func TestChangedRedactedCopiesFail(t *testing.T) {
	s := distinct(t)
	mark := func(hash string) map[string]any {
		return map[string]any{"redacted": map[string]any{"leaf_hash": hash, "reason": "r", "rule": "r"}}
	}
	for name, change := range map[string]func(r *pack.Redacted){
		"a field":            func(r *pack.Redacted) { r.Pack["title"] = "x" },
		"another field":      func(r *pack.Redacted) { r.Pack["x"] = "y" },
		"pack id":            func(r *pack.Redacted) { r.Pack["pack_id"] = id2 },
		"a claim":            func(r *pack.Redacted) { entries(r)[0].(map[string]any)["verdict"] = "not_found" },
		"a claim too many":   func(r *pack.Redacted) { sessionOf(r)["entries"] = append(entries(r), entries(r)[0]) },
		"a claim too few":    func(r *pack.Redacted) { sessionOf(r)["entries"] = entries(r)[1:] },
		"the hash":           func(r *pack.Redacted) { entries(r)[1] = mark(strings.Repeat("0", 64)) },
		"no hash":            func(r *pack.Redacted) { entries(r)[1] = mark("") },
		"a mark and more":    func(r *pack.Redacted) { entries(r)[1].(map[string]any)["claim_text"] = "x" },
		"memo":               func(r *pack.Redacted) { r.Pack["memo"].(map[string]any)["body_en"] = "x" },
		"memo of more":       func(r *pack.Redacted) { r.Pack["memo"].(map[string]any)["x"] = "x" },
		"the whole redacted": func(r *pack.Redacted) { r.Pack["redacted"] = mark(strings.Repeat("0", 64))["redacted"] },
		"no sources":         func(r *pack.Redacted) { delete(r.Pack, "sources") },
		"a source of text":   func(r *pack.Redacted) { r.Pack["sources"].([]any)[0] = "x" },
		"root":               func(r *pack.Redacted) { r.Pack["content_root"] = strings.Repeat("0", 64) },
		"no blind":           func(r *pack.Redacted) { delete(r.Pack, "blind") },
		"a salt too few":     func(r *pack.Redacted) { r.Salts = r.Salts[1:] },
		"a salt too many":    func(r *pack.Redacted) { r.Salts = append(r.Salts, r.Salts[0]) },
		"a salt":             func(r *pack.Redacted) { r.Salts[0].Salt = strings.Repeat("0", 64) },
		"nothing":            func(r *pack.Redacted) { r.Pack = nil },
	} {
		r := redact(t, s, redaction(pack.LeafClaim, "clm_002"))
		change(r)
		_, _, err := r.Verify(public)
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
}

func entries(r *pack.Redacted) []any            { return sessionOf(r)["entries"].([]any) }
func sessionOf(r *pack.Redacted) map[string]any { return r.Pack["ledger"].(map[string]any) }

// TestClaimsSetAsideAreKept: they are no claims of the statement, but leaves like all others. The head has their number.
func TestClaimsSetAsideAreKept(t *testing.T) {
	s := signOff(t, freeze(t, draftOf(hospital(), setAside())), "u2")
	require.Len(t, s.statement.Predicate.Entries, 5)
	aside := s.frozen.Content.Ledger.SetAside
	require.Len(t, aside, 2)
	require.Equal(t, []int{4, 5}, aside[0].AsideBy().ReplacedBy)
	require.Equal(t, "It only leads in.", aside[1].AsideBy().Reason)
	require.NotEqual(t, pack.Failed, pack.Verify(s.files, pack.Trust{Key: public}).Status(pack.CheckContent))
	require.Equal(t, pack.Verified, pack.Verify(s.files, pack.Trust{Key: public}).Verdict)

	p, err := pack.Prove(s.frozen, s.envelope, pem(t), pack.LeafAside, "clm_007")
	require.NoError(t, err)
	_, shown, err := p.Verify(public)
	require.NoError(t, err)
	require.Contains(t, string(shown.Value), "It only leads in.")

	r := redact(t, s, redaction(pack.LeafAside, "clm_006"), redaction(pack.LeafClaim, "clm_005"))
	_, out, err := r.Verify(public)
	require.NoError(t, err)
	require.Equal(t, 2, out)
	list := sessionOf(r)["set_aside"].([]any)
	for name, change := range map[string]func(){
		"dropped":      func() { sessionOf(r)["set_aside"] = list[:1] },
		"none left":    func() { delete(sessionOf(r), "set_aside") },
		"made a claim": func() { sessionOf(r)["entries"], sessionOf(r)["set_aside"] = append(entries(r), list[0]), list[1:] },
		"made of claims": func() {
			sessionOf(r)["entries"], sessionOf(r)["set_aside"] = entries(r)[:4], append(entries(r)[4:], list...)
		},
		"no list": func() { sessionOf(r)["set_aside"] = "x" },
	} {
		r = redact(t, s, redaction(pack.LeafAside, "clm_006"), redaction(pack.LeafClaim, "clm_005"))
		list = sessionOf(r)["set_aside"].([]any)
		change()
		_, _, err := r.Verify(public)
		require.Error(t, err, name)
	}
}
