package pack

import (
	"slices"

	"sanad/internal/domain/canonical"
)

// SaltsFormat names the format of salts.json.
const SaltsFormat = "sanad.salts/v1"

// Salts are the salts of a pack's leaves, which only full exports contain: with them the content root can be
// recomputed.
type Salts struct {
	Format string     `json:"format"`
	PackID string     `json:"pack_id"`
	Salts  []LeafSalt `json:"salts"`
}

// LeafSalt is the salt of one leaf.
type LeafSalt struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Salt string `json:"salt"`
}

// Bytes returns salts.json.
func (s *Salts) Bytes() ([]byte, error) { return canonical.JSON(s) }

// saltsFiles are the versions of salts.json.
var saltsFiles = versioned[Salts]{
	field: "format", name: "sanad.salts/v", now: SaltsFormat, read: readSalts,
}

// ParseSalts reads salts.json.
func ParseSalts(data []byte) (*Salts, error) { return saltsFiles.parse(data) }

func readSalts(data []byte) (*Salts, error) {
	var s Salts
	if err := exact(data, fields.Salts, &s); err != nil {
		return nil, err
	}
	if !CheckID(s.PackID) {
		return nil, malformed("refused_these_salts_form", nil)
	}
	return &s, nil
}

// fit returns an error unless salts are exactly those of the leaves present: each once, in order, 64 hex digits.
func fit(salts []LeafSalt, leaves []hashed) error {
	there := slices.DeleteFunc(slices.Clone(leaves), func(l hashed) bool { return l.Bytes == nil })
	same := slices.EqualFunc(salts, there, func(s LeafSalt, l hashed) bool {
		_, ok := hashFrom(s.Salt)
		return ok && s.Kind == l.Kind && s.ID == l.ID
	})
	if !same {
		return malformed("refused_these_salts_leaves", nil)
	}
	return nil
}

// derive returns a function that derives salts from a secret and records them.
func (s *Salts) derive(secret []byte) saltOf {
	return func(kind, id string) (string, bool) {
		salt := Salt(secret, kind, id)
		s.Salts = append(s.Salts, LeafSalt{kind, id, salt})
		return salt, true
	}
}

// look returns a function that looks up given salts.
func (s *Salts) look() saltOf {
	index := make(map[[2]string]string, len(s.Salts))
	for _, x := range s.Salts {
		index[[2]string{x.Kind, x.ID}] = x.Salt
	}
	return func(kind, id string) (string, bool) {
		salt, ok := index[[2]string{kind, id}]
		return salt, ok
	}
}
