package bundle

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/redact"
	"sanad/internal/words"
)

// Load returns a whole artifact of the lake. The message of a *domain.Error is recorded in the bundle; that of any
// other error is not.
type Load func(lakeURI string) ([]byte, error)

// Write is an artifact that must be in the lake before the bundle may refer to it. LakeURI is derived from the hash of
// the content, so writing the same content again changes nothing.
type Write struct {
	LakeURI string
	Data    []byte
}

// Result is a bundle and the artifacts that have to be in the lake for it.
type Result struct {
	Bundle Bundle
	Writes []Write // in the order of the items that refer to them, each once
}

// Build makes a bundle by the newest rules: load, redact, bound each item, bound the bundle, record. The same request,
// artifacts and redactor always make the same bundle, apart from its time. A source that cannot be used is recorded and
// the rest is built. Build fails only if the policy is out of range (Invalid) or if the context of a Load ended.
//
// red is used if the policy turns redaction on; nil means the built-in kinds.
func Build(req *Request, now time.Time, load Load, red *redact.Redactor) (*Result, error) {
	return BuildAs(BuildVersion, req, now, load, red)
}

// BuildAs is Build by the rules of a version; Invalid if there is no such version.
func BuildAs(version string, req *Request, now time.Time, load Load, red *redact.Redactor) (*Result, error) {
	b, err := built(version, req, load, red)
	if err != nil {
		return nil, err
	}
	return b.finish(now)
}

// built returns a builder that has taken all sources of a request.
func built(version string, req *Request, load Load, red *redact.Redactor) (*builder, error) {
	b, err := newBuilder(version, req, load, red)
	if err != nil {
		return nil, err
	}
	b.inline(req.JobInput.ExtraParams.Evidence)
	b.lakeTexts(req.Refs.LakeText)
	b.lakeHTTP(req.Refs.LakeHTTP)
	b.queryDefs(req.Refs.SQLQueryDefs)
	b.sqlResults(req.Refs.SQLResults)
	b.documents("documents", DocChunk, req.Refs.Documents)
	b.documents("transcripts", TranscriptChunk, req.Refs.Transcripts)
	for _, name := range req.Refs.Unknown {
		b.fail("evidence_refs."+name, "", SourceRef{}, words.Msg(unknownKind))
	}
	return b, b.err
}

// builder holds a bundle while it is built.
type builder struct {
	rules  rules
	out    Bundle
	writes []Write
	load   Load
	red    *redact.Redactor  // nil where redaction is off
	seen   map[string]bool   // evidence ids
	owners map[string]string // SHA-256 of the artifact that an id was given to, by the id's base
	placed map[string]bool   // lake URIs in writes
	total  int               // bytes of the items
	rows   int               // of SQL results, in the items
	stop   string            // the limit that was reached; every later item is dropped
	holes  []int             // indexes of dropped items whose text was not there (Replay)
	err    error             // the error that ends the build
}

func newBuilder(version string, req *Request, load Load, red *redact.Redactor) (*builder, error) {
	rules, err := rulesOf(version)
	if err != nil {
		return nil, err
	}
	policy := DefaultPolicy()
	if req.Policy != nil {
		policy = *req.Policy
	}
	if err := policy.Validate(); err != nil {
		return nil, err
	}
	b := &builder{
		rules: rules, load: load, seen: map[string]bool{}, owners: map[string]string{}, placed: map[string]bool{},
	}
	b.out = Bundle{
		BuildVersion: rules.version, Policy: policy, Items: []Item{}, DroppedItems: []Dropped{},
		FailedSources: []Failed{},
	}
	if !policy.EnableRedaction {
		return b, nil
	}
	if b.red = red; red == nil {
		if b.red, err = redact.New(nil); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// The messages of failed sources that Replay recognises.
const (
	badElement   = "reason_element"
	notAList     = "reason_list"
	unknownKind  = "reason_kind"
	unreadable   = "reason_unread"
	noQueryKey   = "reason_query_key"
	noDocumentID = "reason_document_id"
	noText       = "reason_text_or_uri"
)

// Failure returns a source that failed, with its reason in English too.
func Failure(path, evidenceType string, ref SourceRef, m domain.Message) Failed {
	return Failed{Path: path, EvidenceType: evidenceType, SourceRef: ref, Reason: m.String(), Said: m}
}

// fail records a source that is not in the bundle.
func (b *builder) fail(path, evidenceType string, ref SourceRef, m domain.Message) {
	b.out.FailedSources = append(b.out.FailedSources, Failure(path, evidenceType, ref, m))
}

// fetch loads an artifact, or records why it could not.
func (b *builder) fetch(path, evidenceType string, ref SourceRef) ([]byte, bool) {
	if b.err != nil {
		return nil, false
	}
	var told *domain.Error
	err := CheckPath(ref.LakeURI)
	var data []byte
	if err == nil && b.load != nil {
		data, err = b.load(ref.LakeURI)
	}
	switch {
	case err == nil && b.load != nil:
		return data, true
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		b.err = err
	case errors.As(err, &told) && told.Kind != domain.Internal:
		b.fail(path, evidenceType, ref, told.Message)
	default:
		b.fail(path, evidenceType, ref, words.Msg(unreadable))
	}
	return nil, false
}

// source is a text that is about to become an item.
type source struct {
	id, evidenceType string
	ref              SourceRef
	text             string
	meta             Metadata
	partial          bool     // text is not all there is, whatever its length
	over             string   // the limit that leaves no room for it, "" if none
	lake             *FullRef // where the whole is, nil while it is not in the lake
	whole            string   // the whole where lake is nil, "" for text itself
}

// clean makes a source's text valid UTF-8 and redacts it.
func (b *builder) clean(s string, meta *Metadata) string {
	s, meta.Repaired = repair(s)
	if b.red == nil {
		return s
	}
	s, kinds := b.red.Text(s)
	b.redacted(meta, kinds)
	return s
}

// masked redacts a text that describes where evidence comes from.
func (b *builder) masked(s string) string {
	if b.red != nil {
		s, _ = b.red.Text(s)
	}
	return s
}

// redacted records what was masked.
func (b *builder) redacted(meta *Metadata, kinds redact.Counts) {
	if b.red != nil {
		meta.Redaction = &Redaction{Applied: len(kinds) > 0, Profile: b.red.Profile(), Kinds: kinds}
	}
}

// repair replaces each run of invalid UTF-8 by U+FFFD, and returns how many it replaced.
func repair(s string) (string, int) {
	if utf8.ValidString(s) {
		return s, 0
	}
	runs, bad := 0, false
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		was := bad
		if bad = r == utf8.RuneError && w == 1; bad && !was {
			runs++
		}
		i += w
	}
	return strings.ToValidUTF8(s, "\uFFFD"), runs
}
