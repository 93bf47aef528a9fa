package pack

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// verification is the state of one call of Verify.
type verification struct {
	files    Files
	found    map[string]Check
	why      map[string]string // why a check was skipped
	content  *Content
	envelope *Envelope
	said     *Statement // the content of the envelope; signed if the signature check is ok

	unreleased error // why pack.json or the statement is from before the first release; nil if it is not

	unsigned  bool       // of a newer version, and the signature was not tried with a trusted key
	newerPack bool       // pack.json is of a newer version, so content is nil
	newerSaid *Statement // the subjects of a statement of a newer version; said is nil then
}

// note records the outcome of a check: ok if err is nil.
func (v *verification) note(name string, err error, detail string) {
	c := Check{name, OK, detail}
	if err != nil {
		c.Status, c.Detail = Failed, err.Error()
		if e := (*domain.Error)(nil); errors.As(err, &e) {
			c.Detail = e.Safe()
		}
	}
	c.Detail = clean(c.Detail)
	v.found[name] = c
}

// lacks records why a check was skipped.
func (v *verification) lacks(name, why string) {
	if v.why == nil {
		v.why = map[string]string{}
	}
	v.why[name] = why
}

// read reads pack.json and the envelope.
func (v *verification) read() {
	if v.files.Pack == nil {
		v.lacks(CheckForm, "no pack.json")
	} else {
		c, err := Parse(v.files.Pack)
		if v.newerPack = errors.Is(err, ErrNewer); !v.newerPack {
			v.note(CheckForm, err, "")
		}
		if errors.Is(err, ErrUnreleased) {
			v.unreleased = err
			return
		}
		v.content = c
	}
	if v.files.Envelope == nil {
		v.lacks(CheckSignature, "no pack.dsse.json")
		return
	}
	e, err := ParseEnvelope(v.files.Envelope)
	if err == nil {
		var payload []byte
		if payload, err = e.payload(); err == nil {
			v.said, err = ParseStatement(payload)
		}
		if errors.Is(err, ErrNewer) {
			v.newerSaid, err = readSubjects(payload)
		}
		v.envelope = e
	}
	if errors.Is(err, ErrUnreleased) {
		v.unreleased = err
		return
	}
	if err != nil {
		v.note(CheckSignature, err, "")
	}
}

// signature checks the envelope with the trusted key, or else with the one that came with it.
func (v *verification) signature(trust Trust) {
	if v.said == nil && v.newerSaid == nil {
		return
	}
	key, err := v.key(trust)
	if err == nil {
		err = v.ownKey(key)
	}
	if key == nil && err == nil {
		v.lacks(CheckSignature, "no key: give the tenant's public key")
		return
	}
	if err == nil {
		_, err = v.envelope.Verify(key)
	}
	if err == nil && v.said != nil {
		err = same(v.said.Predicate.KeyID, v.envelope.KeyID())
	}
	v.note(CheckSignature, err, v.envelope.KeyID())
}

// key returns the key to check with, nil if none.
func (v *verification) key(trust Trust) (ed25519.PublicKey, error) {
	if trust.Key != nil {
		if trust.Fingerprint != "" && trust.Fingerprint != Fingerprint(trust.Key) {
			return nil, malformed("refused_trusted_key_does", nil)
		}
		return trust.Key, nil
	}
	if trust.Fingerprint != "" && v.envelope.KeyID() != trust.Fingerprint {
		return nil, malformed("refused_signed_another_key", nil)
	}
	if v.files.PublicKey == nil {
		return nil, nil
	}
	return ParsePublic(v.files.PublicKey)
}

// ownKey checks that tenant.pub, if present, is the key used for checking, in canonical form.
func (v *verification) ownKey(key ed25519.PublicKey) error {
	if v.files.PublicKey == nil || key == nil {
		return nil
	}
	if text, err := PEM(key); err != nil || !bytes.Equal(text, v.files.PublicKey) {
		return malformed("refused_tenant_pub_key", err)
	}
	return nil
}

// excerpts checks each excerpt against its hash; S3 sources have only the hash.
func (v *verification) excerpts() {
	checked := 0
	for i := range v.content.Sources {
		s := &v.content.Sources[i]
		if s.S3() {
			continue
		}
		if s.ExcerptHash != Hash([]byte(s.Excerpt)) || text.Len(s.Excerpt) > MaxExcerpt {
			v.note(CheckExcerpts, malformed(fmt.Sprintf("The excerpt of source %s is not the one that was hashed.",
				Reference(i)), nil), "")
			return
		}
		checked++
	}
	v.note(CheckExcerpts, nil, fmt.Sprintf("%d checked, %d withheld (S3)", checked, len(v.content.Sources)-checked))
}

// contentRoot checks the root over the salted leaves, and that the statement names the same leaves.
func (v *verification) contentRoot() {
	if v.files.Salts == nil {
		v.lacks(CheckContent, "no salts.json")
		return
	}
	salts, err := ParseSalts(v.files.Salts)
	if err != nil {
		v.note(CheckContent, err, "")
		return
	}
	f := Frozen{Bytes: v.files.Pack, Salts: *salts}
	leaves, err := f.leaves()
	if err == nil {
		err = cmp.Or(same(salts.PackID, v.content.PackID), fit(salts.Salts, leaves),
			same(rootOf(leaves), v.content.ContentRoot), v.said.names(leaves))
	}
	v.note(CheckContent, err, fmt.Sprintf("%d leaves", len(leaves)))
}

// names returns an error unless a statement, if not nil, has the right number of leaves and the right hash of each
// claim, which is what a proof of one claim is checked against.
func (s *Statement) names(leaves []hashed) error {
	if s == nil {
		return nil
	}
	claims := slices.DeleteFunc(slices.Clone(leaves), func(l hashed) bool { return l.Kind != LeafClaim })
	same := slices.EqualFunc(s.Predicate.Entries, claims,
		func(e StatementEntry, l hashed) bool { return e.SHA256 == hexOf(l.Hash) })
	if !same || s.Predicate.ContentLeaves != int64(len(leaves)) {
		return malformed("refused_statement_names_other", nil)
	}
	return nil
}
