package s3

import (
	"net/url"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"
)

// clean removes what the machine's own variables say.
func clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"} {
		t.Setenv(name, "")
	}
}

func TestAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		query, host string
		secure      bool
		lookup      minio.BucketLookupType
		region      string
	}{
		"as the manual has it": {query: "region=me-central-1&endpoint=https://s3.example:9000&use_path_style=true",
			host: "s3.example:9000", secure: true, lookup: minio.BucketLookupPath, region: "me-central-1"},
		"AWS": {query: "region=me-central-1",
			host: "s3.me-central-1.amazonaws.com", secure: true, lookup: minio.BucketLookupDNS, region: "me-central-1"},
		"older name": {query: "endpoint=http://127.0.0.1:1&s3ForcePathStyle=true",
			host: "127.0.0.1:1", secure: false, lookup: minio.BucketLookupPath, region: ""},
		"plain http": {query: "region=x&disable_https=true",
			host: "s3.x.amazonaws.com", secure: false, lookup: minio.BucketLookupDNS, region: "x"},
		"options of old": {query: "region=x&awssdk=v2&hostname_immutable=true",
			host: "s3.x.amazonaws.com", secure: true, lookup: minio.BucketLookupDNS, region: "x"},
		"encrypted": {query: "region=x&ssetype=AES256",
			host: "s3.x.amazonaws.com", secure: true, lookup: minio.BucketLookupDNS, region: "x"},
		"encrypted by a key": {query: "region=x&ssetype=aws:kms&kmskeyid=k",
			host: "s3.x.amazonaws.com", secure: true, lookup: minio.BucketLookupDNS, region: "x"},
		"nobody in particular": {query: "region=x&anonymous=true",
			host: "s3.x.amazonaws.com", secure: true, lookup: minio.BucketLookupDNS, region: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			query, err := url.ParseQuery(c.query)
			require.NoError(t, err)
			o, err := optionsOf(query)
			require.NoError(t, err)
			require.Equal(t, c.host, o.host)
			require.Equal(t, c.secure, o.client.Secure)
			require.Equal(t, c.lookup, o.client.BucketLookup)
			require.Equal(t, c.region, o.client.Region)
			require.Equal(t, query.Has("ssetype"), o.encryption != nil)
		})
	}
}

func TestVariablesOfAWS(t *testing.T) {
	clean(t)
	t.Setenv("AWS_REGION", "eu-north-1")
	t.Setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:2")
	o, err := optionsOf(url.Values{})
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:2", o.host)
	require.Equal(t, "eu-north-1", o.client.Region)
}

func TestRefusedAddresses(t *testing.T) {
	for name, c := range map[string]struct{ address, says string }{
		"no bucket":         {"s3://?region=x", "names none"},
		"nowhere":           {"s3://b", "needs a region or an endpoint"},
		"unknown option":    {"s3://b?region=x&colour=red", `"colour"`},
		"no truth value":    {"s3://b?region=x&use_path_style=perhaps", "use_path_style is true or false"},
		"endpoint in words": {"s3://b?endpoint=s3.example", "http:// or https://"},
		"endpoint's path":   {"s3://b?endpoint=https://s3.example/minio", "without a path"},
		"encryption":        {"s3://b?region=x&ssetype=rot13", "AES256 or aws:kms"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			u, err := url.Parse(c.address)
			require.NoError(t, err)
			_, err = opener{}.OpenBucketURL(t.Context(), u)
			require.ErrorContains(t, err, c.says)
		})
	}
}
