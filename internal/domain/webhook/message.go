package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/canonical"
)

// Format names the format of a message.
const Format = "sanad.webhook/v1"

// Message is the body of a delivery: what happened to which object, without its content. For more, the receiver asks
// the API.
type Message struct {
	Format string `json:"format"`
	ID     string `json:"id"` // of the delivery; a repeated delivery has the same one
	Kind   string `json:"kind"`
	At     string `json:"at"` // RFC 3339
	Tenant string `json:"tenant"`
	Object Object `json:"object"`
	Event  Event  `json:"event"`
}

// Object is what the event happened to.
type Object struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// Event is the entry in the tenant's audit log.
type Event struct {
	ID  string `json:"id"`
	Seq int64  `json:"seq"`
}

// Body returns the bytes that are stored, signed and sent.
func (m Message) Body() ([]byte, error) {
	m.Format = Format
	return canonical.JSON(m)
}

// SecretSize is the number of random bytes in an endpoint's secret.
const SecretSize = 32

// secretPrefix begins every secret.
const secretPrefix = "whsec_"

// Secret returns an endpoint's secret from random bytes, in the form of Standard Webhooks. The whole text, including
// its prefix, is the key of Sign, so that receivers of that header have nothing to decode.
func Secret(random []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(random) }

// secretBytes returns the random bytes of a secret. A text that Secret did not make is its own key.
func secretBytes(secret string) []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return []byte(secret)
	}
	return key
}

// SignatureHeader is the header that holds the result of Sign.
const SignatureHeader = "Sanad-Signature"

// Sign returns the signature of a body sent at a given time: HMAC-SHA256 over the time in Unix seconds, a dot and the
// body.
func Sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(t + "."))
	h.Write(body)
	return fmt.Sprintf("t=%s,v1=%s", t, hex.EncodeToString(h.Sum(nil)))
}

// Standard returns the headers of Standard Webhooks (www.standardwebhooks.com) for the delivery id, sent at a given
// time: HMAC-SHA256 over the id, the time in Unix seconds and the body, joined by dots, with the decoded secret as the
// key.
func Standard(secret, id string, at time.Time, body []byte) map[string]string {
	t := strconv.FormatInt(at.Unix(), 10)
	h := hmac.New(sha256.New, secretBytes(secret))
	h.Write([]byte(id + "." + t + "."))
	h.Write(body)
	return map[string]string{
		"Webhook-Id": id, "Webhook-Timestamp": t,
		"Webhook-Signature": "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil)),
	}
}
