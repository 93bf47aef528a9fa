package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// kubeObject has the fields of Kubernetes that deploy/kubernetes uses, by their names there; a field that isn't here is
// an error, so a new one is looked up first.
type kubeObject struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	Metadata   kubeMeta          `yaml:"metadata"`
	Data       map[string]string `yaml:"data"`
	Spec       struct {
		Replicas int       `yaml:"replicas"`
		Selector yaml.Node `yaml:"selector"`
		Strategy struct {
			RollingUpdate struct {
				MaxSurge       int `yaml:"maxSurge"`
				MaxUnavailable int `yaml:"maxUnavailable"`
			} `yaml:"rollingUpdate"`
		} `yaml:"strategy"`
		MinAvailable int      `yaml:"minAvailable"`
		Ports        []kubeAt `yaml:"ports"`
		Template     struct {
			Metadata kubeMeta `yaml:"metadata"`
			Spec     kubePod  `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

type kubeMeta struct {
	Name   string            `yaml:"name"`
	Labels map[string]string `yaml:"labels"`
}

type kubeAt struct {
	Name          string `yaml:"name"`
	ContainerPort int    `yaml:"containerPort"`
	Port          int    `yaml:"port"`
	TargetPort    string `yaml:"targetPort"`
}

type kubePod struct {
	AutomountServiceAccountToken  *bool `yaml:"automountServiceAccountToken"`
	EnableServiceLinks            *bool `yaml:"enableServiceLinks"`
	TerminationGracePeriodSeconds int   `yaml:"terminationGracePeriodSeconds"`
	SecurityContext               struct {
		RunAsNonRoot   bool              `yaml:"runAsNonRoot"`
		RunAsUser      int               `yaml:"runAsUser"`
		RunAsGroup     int               `yaml:"runAsGroup"`
		FSGroup        int               `yaml:"fsGroup"`
		SeccompProfile map[string]string `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Containers []kubeContainer `yaml:"containers"`
	Volumes    []struct {
		Name     string    `yaml:"name"`
		EmptyDir *struct{} `yaml:"emptyDir"`
		Secret   *struct {
			SecretName  string `yaml:"secretName"`
			DefaultMode int    `yaml:"defaultMode"`
		} `yaml:"secret"`
	} `yaml:"volumes"`
}

type kubeContainer struct {
	Name    string                         `yaml:"name"`
	Image   string                         `yaml:"image"`
	Args    []string                       `yaml:"args"`
	Env     []struct{ Name, Value string } `yaml:"env"`
	EnvFrom []struct {
		ConfigMapRef struct {
			Name string `yaml:"name"`
		} `yaml:"configMapRef"`
	} `yaml:"envFrom"`
	Ports           []kubeAt                     `yaml:"ports"`
	StartupProbe    kubeProbe                    `yaml:"startupProbe"`
	LivenessProbe   kubeProbe                    `yaml:"livenessProbe"`
	ReadinessProbe  kubeProbe                    `yaml:"readinessProbe"`
	Resources       map[string]map[string]string `yaml:"resources"`
	SecurityContext struct {
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities             struct {
			Drop []string `yaml:"drop"`
		} `yaml:"capabilities"`
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
}

type kubeProbe struct {
	HTTPGet struct {
		Path string `yaml:"path"`
		Port string `yaml:"port"`
	} `yaml:"httpGet"`
	PeriodSeconds    int `yaml:"periodSeconds"`
	TimeoutSeconds   int `yaml:"timeoutSeconds"`
	FailureThreshold int `yaml:"failureThreshold"`
}

// strictly reads a file of YAML documents and refuses fields that T does not have.
func strictly[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	for {
		var v T
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			require.NotEmpty(t, out, path)
			return out
		}
		require.NoError(t, err, path)
		out = append(out, v)
	}
}

// holdsSettings checks variables of a process: flags of serve, no secret, and all that nodes must share.
func holdsSettings(t *testing.T, who string, env map[string]string) {
	t.Helper()
	known := serveFlags(newRoot(streams{}))
	for name, value := range env {
		if strings.HasPrefix(name, "SANAD_") {
			flag := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "SANAD_")), "_", "-")
			assert.Contains(t, known, flag, "%s: serve has no flag for %s", who, name)
		} else {
			assert.Contains(t, []string{"PGPASSFILE", "AWS_SHARED_CREDENTIALS_FILE"}, name, who)
		}
		assert.NotRegexp(t, `://[^/@]*:[^/@]*@`, value, "%s: a password in %s", who, name)
	}
	for _, name := range []string{"SANAD_DATABASE", "SANAD_FILES", "SANAD_MASTER_KEY_FILE", "SANAD_ROLE"} {
		assert.NotEmpty(t, env[name], "%s: %s", who, name)
	}
	checkpoints, ok := env["SANAD_CHECKPOINTS"]
	assert.True(t, ok && checkpoints == "", "%s: the image's own SANAD_CHECKPOINTS is a folder of each node", who)
}

// hostOfRegistry matches an image that names where it is fetched from.
var hostOfRegistry = regexp.MustCompile(`^[^/]*[.:][^/]*/`)

func TestKubernetesManifests(t *testing.T) {
	all := strictly[kubeObject](t, "../../deploy/kubernetes/sanad.yaml")
	settings, labels, kinds := map[string]string{}, map[string]map[string]string{}, map[string]int{}
	for i := range all {
		x := &all[i]
		kinds[x.APIVersion+" "+x.Kind]++
		if x.Kind == "ConfigMap" {
			settings = x.Data
		}
	}
	require.Equal(t, map[string]int{"v1 ConfigMap": 1, "apps/v1 Deployment": 2, "v1 Service": 1, "policy/v1 PodDisruptionBudget": 1}, kinds)
	for i := range all {
		x := &all[i]
		if x.Kind != "Deployment" {
			continue
		}
		pod := &x.Spec.Template.Spec
		role := x.Spec.Template.Metadata.Labels["role"]
		labels[role] = x.Spec.Template.Metadata.Labels
		var selector struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
		}
		require.NoError(t, x.Spec.Selector.Decode(&selector))
		assert.Equal(t, labels[role], selector.MatchLabels, x.Metadata.Name)
		assert.True(t, pod.SecurityContext.RunAsNonRoot)
		assert.Equal(t, 65532, pod.SecurityContext.RunAsUser, "the user of the image")
		assert.Equal(t, "RuntimeDefault", pod.SecurityContext.SeccompProfile["type"])
		assert.False(t, *pod.AutomountServiceAccountToken)
		assert.Greater(t, pod.TerminationGracePeriodSeconds, 10, "the program needs at most 10 seconds to stop")
		require.Len(t, pod.Containers, 1)
		c := &pod.Containers[0]
		assert.Equal(t, "sanad:VERSION", c.Image)
		assert.True(t, c.SecurityContext.ReadOnlyRootFilesystem)
		assert.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
		assert.Equal(t, []string{"ALL"}, c.SecurityContext.Capabilities.Drop)
		assert.Equal(t, "/readyz", c.ReadinessProbe.HTTPGet.Path)
		assert.Equal(t, "/healthz", c.LivenessProbe.HTTPGet.Path)
		assert.Equal(t, "/healthz", c.StartupProbe.HTTPGet.Path)
		for _, p := range []kubeProbe{c.ReadinessProbe, c.LivenessProbe, c.StartupProbe} {
			assert.Equal(t, c.Ports[0].Name, p.HTTPGet.Port)
		}
		var volumes, mounts []string
		for _, v := range pod.Volumes {
			volumes = append(volumes, v.Name)
			assert.NotEqual(t, v.EmptyDir == nil, v.Secret == nil, v.Name)
		}
		for _, m := range c.VolumeMounts {
			mounts = append(mounts, m.Name)
		}
		assert.Equal(t, volumes, mounts)
		env := map[string]string{}
		for name, value := range settings {
			env[name] = value
		}
		for _, v := range c.Env {
			env[v.Name] = v.Value
		}
		holdsSettings(t, x.Metadata.Name, env)
		assert.Equal(t, role, env["SANAD_ROLE"])
	}
	require.Len(t, labels, 2)
	for i := range all {
		switch x := &all[i]; x.Kind {
		case "Service":
			var selector map[string]string
			require.NoError(t, x.Spec.Selector.Decode(&selector))
			assert.Equal(t, labels["web"], selector, "requests go to web nodes only")
			assert.Equal(t, "http", x.Spec.Ports[0].TargetPort)
		case "PodDisruptionBudget":
			var selector struct {
				MatchLabels map[string]string `yaml:"matchLabels"`
			}
			require.NoError(t, x.Spec.Selector.Decode(&selector))
			assert.Equal(t, labels["web"], selector.MatchLabels)
			assert.Equal(t, 1, x.Spec.MinAvailable)
		}
	}
}

// composeFile has the fields of Compose that deploy/cluster uses.
type composeFile struct {
	Sanad    any                       `yaml:"x-sanad"`
	Settings any                       `yaml:"x-settings"`
	Services map[string]composeService `yaml:"services"`
	Networks map[string]*struct {
		Internal bool `yaml:"internal"`
	} `yaml:"networks"`
	Volumes map[string]any `yaml:"volumes"`
	Secrets map[string]struct {
		File string `yaml:"file"`
	} `yaml:"secrets"`
}

type composeService struct {
	Image       string   `yaml:"image"`
	User        string   `yaml:"user"`
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	Tmpfs       []string `yaml:"tmpfs"`
	Entrypoint  []string `yaml:"entrypoint"`
	Command     []string `yaml:"command"`
	Ports       []string `yaml:"ports"`
	Secrets     []string `yaml:"secrets"`
	Networks    []string `yaml:"networks"`
	Volumes     []string `yaml:"volumes"`
	DependsOn   map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
	Environment map[string]string `yaml:"environment"`
	Healthcheck *struct {
		Test     []string `yaml:"test"`
		Interval string   `yaml:"interval"`
		Timeout  string   `yaml:"timeout"`
		Retries  int      `yaml:"retries"`
	} `yaml:"healthcheck"`
	ShmSize         string `yaml:"shm_size"`
	StopGracePeriod string `yaml:"stop_grace_period"`
	Restart         string `yaml:"restart"`
}

func TestComposeOfSeveralNodes(t *testing.T) {
	f := strictly[composeFile](t, "../../deploy/cluster/compose.yaml")[0]
	var ours []string
	for name, s := range f.Services {
		assert.NotRegexp(t, hostOfRegistry, s.Image, name)
		for _, secret := range s.Secrets {
			assert.Contains(t, f.Secrets, secret, name)
		}
		for _, network := range s.Networks {
			assert.Contains(t, f.Networks, network, name)
		}
		for _, volume := range s.Volumes {
			if from, _, _ := strings.Cut(volume, ":"); !strings.HasPrefix(from, "./") {
				assert.Contains(t, f.Volumes, from, name)
			}
		}
		for other, how := range s.DependsOn {
			require.Contains(t, f.Services, other, name)
			if how.Condition == "service_healthy" && f.Services[other].Image != "sanad" { // the image has a check of its own
				assert.NotNil(t, f.Services[other].Healthcheck, other)
			}
		}
		for _, port := range s.Ports {
			assert.True(t, strings.HasPrefix(port, "127.0.0.1:"), port)
		}
		if s.Image != "sanad" {
			continue
		}
		ours = append(ours, s.Environment["SANAD_ROLE"])
		holdsSettings(t, name, s.Environment)
		assert.Equal(t, "65532:65532", s.User, name)
		assert.True(t, s.ReadOnly, name)
		assert.Equal(t, []string{"ALL"}, s.CapDrop, name)
	}
	slices.Sort(ours)
	require.Equal(t, []string{"web", "web", "worker"}, ours)
}

// TestHAProxyConfiguration asks HAProxy itself, where it is installed; without it, the names of the nodes are compared.
func TestHAProxyConfiguration(t *testing.T) {
	const path = "../../deploy/cluster/haproxy.cfg"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	f := strictly[composeFile](t, "../../deploy/cluster/compose.yaml")[0]
	servers := regexp.MustCompile(`(?m)^  server (\S+) (\S+):8080$`).FindAllStringSubmatch(string(data), -1)
	require.Len(t, servers, 2)
	for _, s := range servers {
		assert.Equal(t, "web", f.Services[s[2]].Environment["SANAD_ROLE"], s[1])
	}
	program, err := exec.LookPath("haproxy")
	if err != nil {
		t.Log("haproxy is not installed: its own check was left out")
		return
	}
	out, err := exec.CommandContext(t.Context(), program, "-c", "-f", path).CombinedOutput()
	require.NoError(t, err, string(out))
}
