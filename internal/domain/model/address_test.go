package model_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/model"
)

// TestSecretsInAddresses refuses and masks them, and leaves parameters alone that are none.
func TestSecretsInAddresses(t *testing.T) {
	const host = "https://models.example/v1"
	for _, good := range []string{
		host, host + "?api-version=2024-12-01-preview", host + "?api-version=2024-10-21&deployment=gpt-4o-2024-08-06",
		host + "?region=me-central-1&max_tokens=2000", host + "?tenant=0b1f6f0e-8a43-4f0a-9d2b-1f0a2f3c4d5e",
		host + "?model=Meta-Llama-3.1-8B-Instruct-Turbo", host + "?lang=%D8%B9%D8%B1%D8%A8%D9%8A", host + "?key=",
	} {
		require.NoError(t, model.CheckSecrets(good), good)
		require.Equal(t, good, model.Shown(good))
		require.Equal(t, good, model.Without(good))
	}
	for query, shown := range map[string]string{
		"api-key=swordfish":                              "api-key=***",
		"api-version=2024-10-21&api_key=swordfish":       "api-version=2024-10-21&api_key=***",
		"API%2DKEY=swordfish&api-version=1":              "API%2DKEY=***&api-version=1",
		"a=1;subscription-key=swordfish":                 "subscription-key=***",
		"access_token=swordfish":                         "access_token=***",
		"x=sk-swordfish123":                              "x=***",
		"sk-swordfish123":                                "?=***",
		"sig=swordfish":                                  "sig=***",
		"id=" + strings.Repeat("swordf1sh", 3):           "id=***",
		"Password=swordfish":                             "Password=***",
		"client_secret_id=swordfish&api-version=1&sig=s": "client_secret_id=***&api-version=1&sig=***",
	} {
		err := model.CheckSecrets(host + "?" + query)
		require.ErrorContains(t, err, "url: ", query)
		require.ErrorContains(t, err, "as the key", query)
		require.NotContains(t, err.Error(), "swordf", query)
		require.Equal(t, host+"?"+shown, model.Shown(host+"?"+query))
		require.NotContains(t, model.Without(host+"?"+query), "swordf")
	}
	require.Equal(t, host+"?api-version=1", model.Without(host+"?api-version=1&key=s"))
	for _, user := range []string{"https://me:swordfish@models.example/v1", "https://swordfish@models.example/v1"} {
		require.ErrorContains(t, model.CheckSecrets(user), "give the secret as the key")
		require.Equal(t, host, model.Shown(user))
		e := good()
		e.URL = user
		require.ErrorContains(t, e.Check(), "give the secret as the key")
	}
}

// A secret in the path is taken and masked where the address is shown. The mask itself is no address to store.
func TestSecretsInPaths(t *testing.T) {
	const key = "swordf1shswordf1shswordf1sh"
	for address, shown := range map[string]string{
		"https://models.example/v1/" + key + "/chat":                  "https://models.example/v1/***/chat",
		"https://models.example/v1/sk-swordfish1234":                  "https://models.example/v1/***",
		"https://models.example/a%2Fb/%73k-swordfish1234?x=1":         "https://models.example/a%2Fb/***?x=1",
		"https://me@models.example/" + key + "/v1?api-key=s&a=" + key: "https://models.example/***/v1?api-key=***&a=***",
	} {
		require.Equal(t, shown, model.Shown(address))
		require.ErrorContains(t, model.CheckSecrets(shown), "url: ", "what is shown is not stored in the place of the secret")
	}
	require.NoError(t, model.CheckSecrets("https://models.example/v1/"+key+"/chat"), "some gateways know no other place")
	for _, plain := range []string{
		"https://models.example/openai/deployments/gpt-4o-2024-08-06", "https://models.example/Meta-Llama-3.1-8B-Instruct-Turbo/v1",
		"https://models.example/0b1f6f0e-8a43-4f0a-9d2b-1f0a2f3c4d5e/predict", "https://models.example/%D8%B9/v1/",
	} {
		require.Equal(t, plain, model.Shown(plain))
	}
}

// TestAddressesThatAreNotReached are refused before anything is stored, naming the field, the network and the flag.
func TestAddressesThatAreNotReached(t *testing.T) {
	nets := func(texts ...string) (out []netip.Prefix) {
		for _, x := range texts {
			out = append(out, netip.MustParsePrefix(x))
		}
		return out
	}
	for _, c := range []struct {
		address string
		allowed []netip.Prefix
		want    string // "" if it is reached
	}{
		{"https://models.example/v1", nil, ""},
		{"https://8.8.8.8/v1", nil, ""},
		{"https://10.1.2.3/v1", nil, "--model-allow 10.1.2.3"},
		{"https://169.254.169.254/", nil, "not public"},
		{"https://[fd00::1]/v1", nil, "--model-allow fd00::1"},
		{"https://[::ffff:10.0.0.1]/v1", nil, "not public"},
		{"https://localhost/v1", nil, "--model-allow 127.0.0.1"},
		{"https://LocalHost.:8080/v1", nil, "not public"},
		{"http://models.example/v1", nil, "Nothing is sent without TLS"},
		{"http://8.8.8.8/v1", nets("10.0.0.0/8"), "Nothing is sent without TLS"},
		{"http://10.1.2.3:11434/v1", nil, "not public"},
		{"http://10.1.2.3:11434/v1", nets("10.0.0.0/8"), ""},
		{"http://localhost:11434/v1", nets("127.0.0.1/32"), ""},
		{"http://models.internal/v1", nets("10.0.0.0/8"), ""}, // looked at when it is connected to
		{"ftp://x", nil, ""}, {"//", nil, ""}, // for Check
	} {
		err := model.CheckReach(c.address, c.allowed)
		if c.want == "" {
			require.NoError(t, err, c.address)
			continue
		}
		require.ErrorContains(t, err, "url: ", c.address)
		require.ErrorContains(t, err, c.want, c.address)
		require.ErrorContains(t, err, "sanad serve --model-allow", c.address)
	}
}
