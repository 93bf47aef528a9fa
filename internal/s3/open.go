// Package s3 opens buckets of S3-compatible services for gocloud.dev/blob, by URLs s3://NAME?…. It stands in place of
// gocloud.dev's own driver, whose AWS SDK was a sixth of the program (docs/adr/0012). Importing it registers the
// scheme.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/encrypt"
	"gocloud.dev/blob"
)

// Scheme is the scheme of the URLs that this package opens.
const Scheme = "s3"

func init() { blob.DefaultURLMux().RegisterBucket(Scheme, opener{}) }

// tries is how often a request is made that fails for a reason that may pass.
const tries = 3

type opener struct{}

// OpenBucketURL opens a bucket. No request is made before the first use.
func (opener) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	if u.Host == "" {
		return nil, errors.New("the address of an S3 bucket names none: s3://NAME?…")
	}
	o, err := optionsOf(u.Query())
	if err != nil {
		return nil, err
	}
	client, err := minio.NewCore(o.host, &o.client)
	if err != nil {
		return nil, fmt.Errorf("the address of the S3 service: %w", err)
	}
	return blob.NewBucket(&bucket{client: client, name: u.Host, encryption: o.encryption}), nil
}

// options are what the query of a URL says.
type options struct {
	host       string
	client     minio.Options
	encryption encrypt.ServerSide // nil: as the bucket is set up
}

// optionsOf reads a query: region, endpoint, use_path_style (or s3ForcePathStyle), disable_https, profile, anonymous,
// ssetype and kmskeyid. The names are those of gocloud.dev's driver, so that addresses stay valid. awssdk,
// hostname_immutable and rate_limiter_capacity mean nothing here and are let pass.
func optionsOf(query url.Values) (options, error) {
	flags := map[string]bool{}
	for name, values := range query {
		switch name {
		case "region", "endpoint", "profile", "ssetype", "kmskeyid":
		case "awssdk", "hostname_immutable", "rate_limiter_capacity":
		case "use_path_style", "s3ForcePathStyle", "disable_https", "anonymous":
			on, err := strconv.ParseBool(values[0])
			if err != nil {
				return options{}, fmt.Errorf("the address of the S3 bucket: %s is true or false", name)
			}
			flags[name] = on
		default:
			return options{}, fmt.Errorf("the address of the S3 bucket: there is no option %q", name)
		}
	}
	region := firstOf(query.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	endpoint := firstOf(query.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))
	host, secure, err := hostOf(endpoint, region)
	if err != nil {
		return options{}, err
	}
	o := options{host: host, client: minio.Options{
		Creds: credentialsOf(query.Get("profile"), flags["anonymous"]), Secure: secure && !flags["disable_https"],
		Region: region, MaxRetries: tries, BucketLookup: minio.BucketLookupDNS,
	}}
	if flags["use_path_style"] || flags["s3ForcePathStyle"] {
		o.client.BucketLookup = minio.BucketLookupPath
	}
	o.encryption, err = encryptionOf(query.Get("ssetype"), query.Get("kmskeyid"))
	return o, err
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// hostOf returns the host of an endpoint, which is AWS's of the region if none is given, and whether TLS is used.
func hostOf(endpoint, region string) (host string, secure bool, err error) {
	if endpoint == "" {
		if region == "" {
			return "", false, errors.New("the address of the S3 bucket needs a region or an endpoint")
		}
		return "s3." + region + ".amazonaws.com", true, nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false, errors.New("the endpoint of the S3 bucket is an address with http:// or https://")
	}
	if u.Path != "" && u.Path != "/" {
		return "", false, errors.New("the endpoint of the S3 bucket is a host, without a path")
	}
	return u.Host, u.Scheme == "https", nil
}

// credentialsOf looks where the tools of AWS look: variables, then the profile's file, then the machine's own role.
func credentialsOf(profile string, anonymous bool) *credentials.Credentials {
	if anonymous {
		return credentials.NewStatic("", "", "", credentials.SignatureAnonymous)
	}
	file := &credentials.FileAWSCredentials{Profile: profile}
	if profile != "" { // who names one means that, not the variables
		return credentials.NewChainCredentials([]credentials.Provider{file})
	}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, file, &credentials.IAM{Client: &http.Client{Transport: http.DefaultTransport}},
	})
}

func encryptionOf(kind, key string) (encrypt.ServerSide, error) {
	switch kind {
	case "":
		return nil, nil
	case "AES256":
		return encrypt.NewSSE(), nil
	case "aws:kms":
		return encrypt.NewSSEKMS(key, nil)
	}
	return nil, errors.New("the address of the S3 bucket: ssetype is AES256 or aws:kms")
}
