package capsules

import (
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hook is another system that receives webhook messages.
type hook struct {
	*httptest.Server
	t        *testing.T
	secret   string
	mu       sync.Mutex
	messages []message
}

// message is a delivery as received.
type message struct {
	Signature string `json:"signature"` // the header Sanad-Signature
	Delivery  string `json:"delivery"`  // the header Sanad-Delivery
	Body      string `json:"body"`
	Event     string `json:"event"` // the audit log's line about the event
}

// webhookAbout is the webhook capsule.
type webhookAbout struct {
	Secret   string    `json:"secret"`
	Messages []message `json:"messages"`
}

func newHook(t *testing.T) *hook {
	h := &hook{t: t}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		if err == nil {
			h.messages = append(h.messages, message{Signature: r.Header.Get("Sanad-Signature"),
				Delivery: r.Header.Get("Sanad-Delivery"), Body: string(body)})
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.Listener = l
	h.Start()
	t.Cleanup(h.Close)
	return h
}

// capsule waits until a message of each kind that the steps above cause has arrived.
func (h *hook) capsule(log string) []byte {
	events := map[string]string{}
	for line := range strings.Lines(log) {
		var e struct{ ID string }
		require.NoError(h.t, json.Unmarshal([]byte(line), &e))
		events[e.ID] = strings.TrimSuffix(line, "\n")
	}
	out, byKind := webhookAbout{Secret: h.secret}, map[string]message{}
	require.Eventually(h.t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, m := range h.messages {
			var says struct {
				Kind  string
				Event struct{ ID string }
			}
			if json.Unmarshal([]byte(m.Body), &says) == nil {
				m.Event = events[says.Event.ID]
				byKind[says.Kind] = m
			}
		}
		return len(byKind) >= 6
	}, time.Minute, 100*time.Millisecond)
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		out.Messages = append(out.Messages, byKind[kind])
	}
	data, err := json.MarshalIndent(out, "", "  ")
	require.NoError(h.t, err)
	return append(data, '\n')
}
