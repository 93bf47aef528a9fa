package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/google/uuid"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/words"
)

// space is the namespace of bundle ids (rule B-10).
var space = uuid.NewSHA1(uuid.NameSpaceURL, []byte("urn:sanad:bundle"))

// identify returns the bundle id: UUIDv5 of the canonical JSON of policy, items and build version. The time of the
// build does not enter.
func (b *Bundle) identify() (string, error) {
	data, err := canonical.JSON(struct {
		Policy       Policy `json:"policy"`
		Items        []Item `json:"items"`
		BuildVersion string `json:"build_version"`
	}{b.Policy, b.Items, b.BuildVersion})
	if err != nil {
		return "", &domain.Error{Kind: domain.Invalid, Op: "bundle.identify",
			Message: words.Msg("refused_evidence_canonical_form"), Err: err}
	}
	return uuid.NewSHA1(space, data).String(), nil
}

func hashOf[T string | []byte](s T) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// prefix is the P of evidence ids: the first 12 hex digits of the SHA-256.
func prefix[T string | []byte](s T) string { return hashOf(s)[:12] }

// inlineID and those below it are the evidence ids (rule B-4). Those of SQL results and documents begin with a base,
// which builder.tell completes if other content has it already.
func inlineID(n int) string                  { return fmt.Sprintf("inline:%d", n) }
func lakeID(artifact []byte) string          { return fmt.Sprintf("lake:%s:0", prefix(artifact)) }
func sqlDefID(sql string) string             { return fmt.Sprintf("sqldef:%s", prefix(sql)) }
func sqlBase(queryKey string) string         { return "sql:" + prefix(queryKey) }
func docBase(documentID string) string       { return "doc:" + prefix(documentID) }
func chunkID(base string, n int) string      { return fmt.Sprintf("%s:%d", base, n) }
func rangeID(id string, from, to int) string { return fmt.Sprintf("%s:%d-%d", id, from, to) }
