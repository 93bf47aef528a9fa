package webhook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/webhook"
)

func TestCheckURL(t *testing.T) {
	for _, good := range []string{"https://hooks.example/sanad", "https://hooks.example:8443/a?b=c",
		"http://10.0.0.7/x", "https://[2001:db8::1]/", "https://مثال.example/خطاف"} {
		require.NoError(t, webhook.CheckURL(good), good)
	}
	for _, bad := range []string{"", "hooks.example", "//hooks.example", "ftp://hooks.example", "https://",
		"https:///x", "https://u:p@hooks.example/", "https://u@hooks.example/",
		"https://hooks.example/#x", "https://hooks.example/ x", "https://hooks.example/\n", "https:hooks.example",
		"https://hooks.example/" + strings.Repeat("a", 2000), "https://a/\xff", "file:///etc/passwd"} {
		err := webhook.CheckURL(bad)
		require.Equal(t, domain.Invalid, domain.KindOf(err), "%q", bad)
		require.NotContains(t, err.Error(), "u:p", "an error must not repeat the address, which may contain a secret")
	}
}

func TestCheckKinds(t *testing.T) {
	got, err := webhook.CheckKinds([]string{"pack.signed_off", "session.imported", "pack.signed_off"})
	require.NoError(t, err)
	require.Equal(t, []string{"session.imported", "pack.signed_off"}, got)
	for _, bad := range [][]string{nil, {}, {"login.failed"}, {"pack.signed_off", "*"}, {webhook.Test}} {
		_, err := webhook.CheckKinds(bad)
		require.Equal(t, domain.Invalid, domain.KindOf(err), bad)
	}
}

func TestBody(t *testing.T) {
	m := webhook.Message{ID: "d1", Kind: "pack.signed_off", At: "2026-03-01T12:30:45Z", Tenant: "t1",
		Object: webhook.Object{Kind: "pack", ID: "pack_1"}, Event: webhook.Event{ID: "e1", Seq: 7}}
	body, err := m.Body()
	require.NoError(t, err)
	require.Equal(t, `{"at":"2026-03-01T12:30:45Z","event":{"id":"e1","seq":7},"format":"sanad.webhook/v1","id":"d1","kind":"pack.signed_off",`+
		`"object":{"id":"pack_1","kind":"pack"},"tenant":"t1"}`, string(body))
}

// The expected value was made with: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_x
func TestSign(t *testing.T) {
	at := time.Unix(1700000000, 5e8)
	require.Equal(t, "t=1700000000,v1=b3438763ab46d9634b9844c8722818eaf523f803db1327484c6067462a5fd6d1",
		webhook.Sign("whsec_x", at, []byte(`{"a":1}`)))
	for name, other := range map[string]string{
		"secret": webhook.Sign("whsec_y", at, []byte(`{"a":1}`)),
		"time":   webhook.Sign("whsec_x", at.Add(time.Second), []byte(`{"a":1}`)),
		"body":   webhook.Sign("whsec_x", at, []byte(`{"a":2}`)),
	} {
		require.NotEqual(t, webhook.Sign("whsec_x", at, []byte(`{"a":1}`))[13:], other[13:], name)
	}
	require.Equal(t, "whsec_AAEC/w==", webhook.Secret([]byte{0, 1, 2, 0xff}))
}

// The expected values were made with: printf 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt
// hexkey:KEY -binary | base64, where KEY is 000102ff.
func TestStandardSignature(t *testing.T) {
	at := time.Unix(1700000000, 5e8)
	want := map[string]string{"Webhook-Id": "msg_1", "Webhook-Timestamp": "1700000000",
		"Webhook-Signature": "v1,Zfgw2i9X93Vjr977zcx1eaye4nFmtcWLTkGDCFBRmc4="}
	require.Equal(t, want, webhook.Standard("whsec_AAEC/w==", "msg_1", at, []byte(`{"a":1}`)))
	require.NotEqual(t, want, webhook.Standard("whsec_AAEC/g==", "msg_1", at, []byte(`{"a":1}`)), "another secret")
}

func TestWait(t *testing.T) {
	var total time.Duration
	for attempt := 1; attempt < webhook.MaxAttempts; attempt++ {
		long, more := webhook.Wait(attempt, 0)
		require.True(t, more)
		short, _ := webhook.Wait(attempt, 0.999)
		require.Less(t, short, long)
		require.GreaterOrEqual(t, short, long*3/4)
		total += long
		if next, more := webhook.Wait(attempt+1, 0); more {
			require.Equal(t, min(2*long, time.Hour), next)
		}
	}
	require.InDelta(t, 3.5, total.Hours(), 0.5)
	for _, attempt := range []int{webhook.MaxAttempts, webhook.MaxAttempts + 1} {
		_, more := webhook.Wait(attempt, 0)
		require.False(t, more)
	}
	first, _ := webhook.Wait(1, 0)
	require.Equal(t, 10*time.Second, first)
}
