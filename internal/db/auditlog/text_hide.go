package auditlog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"

	"sanad/internal/db/sqldb"
)

// hidden is a value of an event's details that may be personal data: a reason, a comment, a name that a caller chose.
// The log, which is never erased, holds HMAC-SHA256(salt, text) of it, "" for "" (rule LOG-13).
type hidden struct {
	text     string
	kind, id string // what the text belongs to and is erased with; "" for the object of the event
}

// Hide returns a text that is erased with the object of the event.
func Hide(text string) hidden { return hidden{text: text} }

// HideWith returns a text that is erased with another object.
func HideWith(kind, id, text string) hidden { return hidden{text: text, kind: kind, id: id} }

// commit replaces the hidden values of an event's details by what the log holds of them.
func (ev *Event) commit(t *sqldb.Tx, tenant string) error {
	said := maps.Clone(ev.Details)
	for name, value := range said {
		h, ok := value.(hidden)
		if !ok {
			continue
		}
		switch h.kind {
		case "":
			h.kind, h.id = ev.Kind, ev.ObjectID
		case tenantKind:
			h.id = tenant
		}
		text, err := commitment(t, tenant, h)
		if err != nil {
			return err
		}
		said[name] = text
	}
	ev.Details = said
	return nil
}

func commitment(t *sqldb.Tx, tenant string, h hidden) (string, error) {
	if h.text == "" {
		return "", nil
	}
	salt, err := textSalt(t, tenant, h.kind, h.id)
	if err != nil {
		return "", err
	}
	return hmacHex(salt, h.text), nil
}

func hmacHex(salt []byte, text string) string {
	m := hmac.New(sha256.New, salt)
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

// textSalt returns the salt of an object's texts, a new one if it has none.
func textSalt(t *sqldb.Tx, tenant, kind, id string) (salt []byte, err error) {
	err = t.Row("SELECT salt FROM text_salts WHERE tenant_id = ? AND kind = ? AND object_id = ?",
		[]any{tenant, kind, id}, &salt)
	if !sqldb.NoRow(err) {
		return salt, err
	}
	if salt, err = NewSalt(t); err != nil {
		return nil, err
	}
	_, err = t.Exec("INSERT INTO text_salts (tenant_id, kind, object_id, salt) VALUES (?, ?, ?, ?)", tenant, kind, id,
		salt)
	return salt, err
}

// ForgetTexts deletes the salt of an object's texts, so that what the log holds of them says nothing any more.
func ForgetTexts(t *sqldb.Tx, tenant, kind string, ids ...string) error {
	var all error
	for _, id := range ids {
		_, err := t.Exec("DELETE FROM text_salts WHERE tenant_id = ? AND kind = ? AND object_id = ?", tenant, kind, id)
		all = errors.Join(all, err)
	}
	return all
}

// saltSize is the length of a row's salt.
const saltSize = 32

// NewSalt returns a new salt for a row that is digested.
func NewSalt(t *sqldb.Tx) ([]byte, error) {
	out := make([]byte, saltSize)
	_, err := io.ReadFull(t.Random, out)
	return out, err
}
