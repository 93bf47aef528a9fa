package capsules

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/webhook"
)

// The same event gives the same message, and the same message and secret give the same signature, which
// receivers rely on.
func TestWebhookMessagesAreTheSame(t *testing.T) {
	found := 0
	for _, l := range levels(t) {
		data, err := os.ReadFile(filepath.Join(l.dir, "webhook.json"))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		var capsule webhookAbout
		require.NoError(t, json.Unmarshal(data, &capsule))
		for _, m := range capsule.Messages {
			found++
			var said struct{ Kind string }
			require.NoError(t, json.Unmarshal([]byte(m.Body), &said))
			require.Contains(t, webhook.Kinds, said.Kind)
			e, err := audit.ParseEvent([]byte(m.Event))
			require.NoError(t, err)
			body, err := webhook.Message{
				ID: m.Delivery, Kind: said.Kind, At: e.At, Tenant: e.Tenant, Object: webhook.Object(e.Object),
				Event: webhook.Event{ID: e.ID, Seq: e.Seq},
			}.Body()
			require.NoError(t, err)
			require.Equal(t, m.Body, string(body))
			stamp := regexp.MustCompile(`^t=(\d+),v1=[0-9a-f]{64}$`).FindStringSubmatch(m.Signature)
			require.NotNil(t, stamp, m.Signature)
			at, err := strconv.ParseInt(stamp[1], 10, 64)
			require.NoError(t, err)
			require.Equal(t, m.Signature, webhook.Sign(capsule.Secret, time.Unix(at, 0), body))
		}
	}
	require.GreaterOrEqual(t, found, 6)
}
