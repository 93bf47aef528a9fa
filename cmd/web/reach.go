package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
)

// reachFlags configure how browsers reach the server: by TLS or through a proxy, and under which names (rule SEC-6).
type reachFlags struct {
	cert, key  string
	trustProxy bool
	publicURL  string
	hosts      []string
	subdomains bool
}

func (f *reachFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cert, "tls-cert", "",
		"file with the TLS certificate and its chain (PEM); read again when it changes")
	cmd.Flags().StringVar(&f.key, "tls-key", "", "file with the certificate's private key (PEM)")
	cmd.Flags().BoolVar(&f.trustProxy, "trust-proxy", false,
		"believe X-Forwarded-For and X-Forwarded-Proto of a peer on loopback or a private network")
	cmd.Flags().StringVar(&f.publicURL, "public-url", "",
		"address that people open, as https://sanad.example; other names are refused")
	cmd.Flags().StringSliceVar(&f.hosts, "host", nil,
		"one more host name to answer to (repeat it, or separate names by commas)")
	cmd.Flags().BoolVar(&f.subdomains, "hsts-subdomains", false,
		"tell browsers to reach the hosts below this server's name by TLS only, too, for a year; only if all are yours "+
			"and speak TLS")
}

// reach is the checked configuration of reachFlags.
type reach struct {
	certificate *certificate // nil without TLS
	public      string       // address that people open, without a slash at its end; "" where none was given
	hosts       []string     // host names to answer to
	secure      bool         // browsers connect by TLS, to this server or to a proxy
	trustProxy  bool
	subdomains  bool // HSTS holds for the hosts below ours
}

// read checks the flags and reads the certificate.
func (f *reachFlags) read() (r reach, err error) {
	if (f.cert == "") != (f.key == "") {
		return r, errors.New("--tls-cert and --tls-key go together: give both, or none")
	}
	r.trustProxy, r.subdomains = f.trustProxy, f.subdomains
	if err := f.names(&r); err != nil {
		return r, err
	}
	if f.cert == "" {
		return r, nil
	}
	if r.public != "" && !r.secure {
		return r, fmt.Errorf("--public-url %s says http, but with --tls-cert the server speaks https", r.public)
	}
	r.secure = true
	if r.certificate, err = loadCertificate(f.cert, f.key); err != nil {
		return r, failure{fmt.Errorf("--tls-cert, --tls-key: %w", err)}
	}
	return r, nil
}

// names fills in the public address and the host names.
func (f *reachFlags) names(r *reach) error {
	if f.publicURL != "" {
		u, err := publicURL(f.publicURL)
		if err != nil {
			return err
		}
		r.public, r.secure, r.hosts = u.Scheme+"://"+u.Host, u.Scheme == "https", []string{u.Hostname()}
	}
	for _, h := range f.hosts {
		if h == "" || strings.ContainsAny(h, ":/@ *") {
			return fmt.Errorf("--host %q: give only a name, such as sanad.example, without scheme or port", h)
		}
		r.hosts = append(r.hosts, h)
	}
	return nil
}

// publicURL parses an address of scheme and host only: pages link from the root, so a path could not be kept.
func publicURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("--public-url %q: give scheme and host, such as https://sanad.example", s)
	}
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

// listensAt returns the listener's address as a URL for browsers.
func (r *reach) listensAt(l net.Listener) string {
	if r.certificate != nil {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

const inTheClear = "passwords and pages travel in the clear to whoever reaches this address; " +
	"give --tls-cert and --tls-key, or let a proxy do TLS and give --trust-proxy and --public-url https://…, or " +
	"listen on 127.0.0.1"

// warn writes a warning to the log and the terminal if logins are sent unencrypted.
func (r *reach) warn(l net.Listener, log *slog.Logger, err io.Writer) {
	host, _, _ := net.SplitHostPort(l.Addr().String()) // the address of a TCP listener always has both
	if r.secure || r.trustProxy || auth.IsLoopback(host) {
		return
	}
	log.Warn(inTheClear, "addr", l.Addr().String())
	fmt.Fprintln(err, calledBy()+": warning:", inTheClear)
}
