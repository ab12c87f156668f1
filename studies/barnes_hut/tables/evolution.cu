// A row a method: some steps of leap-frog, half a kick, a drift, half a kick each, and how much of
// what they should keep they lost. On the way pictures, the energy and snapshots, as asked for.
//
//   method     precision  bodies  steps        dt  theta  …  energy drift  momentum drift  …  verified
//   all_pairs     single    1024    100  0.001953    0.5          8.2e-06         3.1e-08        PASS
//
// Sums of the energy go over all pairs, on the device, in double precision. Above a million bodies
// they are left out: a sample of the pairs is off by more than the drift.
#include <unistd.h>

#include <chrono>

#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/conserved.h"
#include "studies/barnes_hut/interruption.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

constexpr size_t max_summed = 1 << 20;

// The bodies as they are when asked for, at most once a step from the device.
class Now {
 public:
  Now(Solver& solver, const Snapshot& start) : solver_(solver), start_(start) {}

  void advanced(double time) { time_ = time, bodies_.clear(), moved_ = true; }
  // Masses with the gravitational constant in them.
  const Bodies& bodies() {
    if (bodies_.empty()) bodies_ = solver_.state();
    return bodies_;
  }
  // Before the first step as it came, unrounded; masses always.
  Snapshot snapshot() {
    Snapshot snapshot = start_;
    if (!moved_) return snapshot;
    snapshot.time = time_;
    for (size_t i = 0; i < snapshot.bodies.size(); ++i) {
      const double mass = snapshot.bodies[i].mass;
      snapshot.bodies[i] = bodies()[i];
      snapshot.bodies[i].mass = mass;
    }
    return snapshot;
  }

 private:
  Solver& solver_;
  const Snapshot& start_;
  double time_ = 0;
  bool moved_ = false;
  Bodies bodies_;
};

// On a terminal only, and gone at the end.
class Progress {
 public:
  explicit Progress(int steps) : steps_(steps), shown_(isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  void at(int step) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    std::fprintf(stderr, "\rstep %d of %d\033[K", step, steps_);
    std::fflush(stderr);
  }

 private:
  int steps_;
  bool shown_;
  std::chrono::steady_clock::time_point last_{};
};

EnergyLabels labels_of(const Settings& chosen, const Snapshot& start, const std::string& method,
                       const char* precision) {
  char title[256];
  std::snprintf(title, sizeof title,
                "%zu bodies by %s, %s precision; theta %g, softening %g, dt %g",
                start.bodies.size(), method.c_str(), precision, chosen.physics.theta,
                chosen.physics.softening, chosen.evolution.dt);
  EnergyLabels labels{title, "in units of the model", "in units of the model"};
  if (const auto& units = start.units) {
    char unit[64];
    std::snprintf(unit, sizeof unit, "in %.4g s", units->time);
    labels.time_unit = unit;
    const double speed = units->length / units->time;
    std::snprintf(unit, sizeof unit, "in %.4g erg", units->mass * speed * speed);
    labels.energy_unit = unit;
  }
  return labels;
}

template <typename Real>
class Run {
 public:
  Run(const Settings& chosen, const Method& method, const Snapshot& start, const Bodies& bodies)
      : chosen_(chosen),
        asked_(chosen.evolution),
        method_(method),
        start_(start),
        solver_(made<Real>(method, bodies, chosen.physics)),
        now_(*solver_, start),
        summed_(worth_a_sum(bodies.size())),
        before_(conserved(now_.bodies(), chosen.physics.softening, summed_)) {
    if (!asked_.picture.empty()) camera_.emplace(now_.bodies(), asked_.film);
  }

  // Returns how many steps it made.
  int go() {
    const Interruption interruption;
    Progress progress(*asked_.steps);
    Clock off(Clock::off);
    watch(0);
    int step = 0;
    if (*asked_.steps > 0) {
      solver_->accelerate(off);
      solver_->check();
      pulls_ = sum_of_pulls();
    }
    while (step < *asked_.steps && !Interruption::wished()) {
      solver_->advance(asked_.dt / 2, asked_.dt, off);
      solver_->accelerate(off);
      solver_->advance(asked_.dt / 2, 0, off);
      solver_->check();
      ++step;
      now_.advanced(start_.time + step * asked_.dt);
      watch(step);
      progress.at(step);
    }
    finish(step);
    return step;
  }

  Drift drift() {
    return drift_between(before_, conserved(now_.bodies(), chosen_.physics.softening, summed_));
  }
  // What of the momenta may be lost, as a part of them. A tree's pulls are not equal and opposite:
  // if all were off one way by what passes for right (accuracy.h), this is what they would add up to
  // over the run; rounding wanders with the root of the steps, a factor that is chosen.
  double momentum_allowed(int steps) {
    const Conserved after = conserved(now_.bodies(), chosen_.physics.softening, false);
    const double momenta = std::max(before_.momenta, after.momenta);
    const double pulls = std::max(pulls_, sum_of_pulls());
    const double theta = solver_->facts().cells > 0 ? chosen_.physics.theta : 0;
    const double lost = share_allowed(theta, now_.bodies().size()) * pulls * steps * asked_.dt;
    const double tree = lost > 0 ? lost / momenta : 0;
    return 256 * unit_roundoff<Real> * std::max(1.0, std::sqrt(steps / 100.0)) + tree;
  }
  bool summed() const { return summed_; }

 private:
  // Without a step nothing drifts: files may be turned into others without a sum over all pairs.
  bool worth_a_sum(size_t bodies) const {
    return bodies <= max_summed && (*asked_.steps > 0 || !asked_.energy.empty());
  }
  double sum_of_pulls() {
    const std::vector<double> pull = solver_->accelerations();
    const Bodies& bodies = now_.bodies();
    const size_t n = bodies.size();
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
      sum += bodies[i].mass * Vector{pull[i], pull[i + n], pull[i + 2 * n]}.size();
    }
    return sum;
  }
  void watch(int step) {
    if (!asked_.energy.empty() && step % asked_.energy_every == 0) add_energy(step);
    if (camera_ && asked_.picture_every && step % asked_.picture_every == 0) {
      camera_->take(numbered(asked_.picture, step, *asked_.steps), now_.bodies());
    }
    if (!asked_.out.empty() && step > 0 && step % asked_.out_every == 0) {
      write_snapshot(asked_.out, now_.snapshot());
    }
  }
  void add_energy(int step) {
    const Conserved sums = step ? conserved(now_.bodies(), chosen_.physics.softening) : before_;
    const double gravity = start_.gravity.value_or(1);  // once too often in the masses
    energy_.push_back(
        {start_.time + step * asked_.dt, sums.kinetic / gravity, sums.potential / gravity});
  }
  // The bodies first: they are what a long run is for. One file that cannot be written costs no other.
  void finish(int step) {
    std::string refused;
    const auto keep = [&](const auto& write) {
      try {
        write();
      } catch (const Refused& why) {
        refused += (refused.empty() ? "" : "; ") + std::string(why.what());
      }
    };
    if (!asked_.out.empty()) keep([&] { write_snapshot(asked_.out, now_.snapshot()); });
    if (!asked_.energy.empty()) {
      keep([&] {
        if (step % asked_.energy_every) add_energy(step);
        write_energy(asked_.energy, energy_,
                     labels_of(chosen_, start_, method_.name, precision_of<Real>));
      });
    }
    if (camera_ && !asked_.picture_every) {
      keep([&] { camera_->take(asked_.picture, now_.bodies()); });
    }
    if (!refused.empty()) throw Failure(refused);
  }

  const Settings& chosen_;
  const Evolution& asked_;
  const Method& method_;
  const Snapshot& start_;
  std::unique_ptr<Solver> solver_;
  Now now_;
  bool summed_;
  Conserved before_;
  double pulls_ = 0;  // the sum of their sizes before the first step
  std::optional<Camera> camera_;
  std::vector<EnergyPoint> energy_;
};

void say_how_to_go_on(const Evolution& asked, int done) {
  std::fprintf(stderr, "stopped after step %d of %d", done, *asked.steps);
  if (!asked.out.empty()) {
    std::fprintf(stderr, ": --in %s --steps %d goes on", asked.out.c_str(), *asked.steps - done);
  }
  std::fputc('\n', stderr);
}

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  const Evolution& asked = chosen.evolution;
  if (!asked.energy.empty() && bodies.size() > max_summed) {
    throw Refused("--energy is for " + std::to_string(max_summed) + " bodies at most");
  }
  Snapshot made;
  if (!asked.in) made.bodies = bodies, made.gravity = 1;
  const Snapshot& start = asked.in ? *asked.in : made;
  int failures = 0;
  for_each_method(chosen, bodies, table, [&](const Method& method) {
    if (Interruption::wished()) return;
    Run<Real> run(chosen, method, start, bodies);
    const int done = run.go();
    const Drift drift = run.drift();
    constexpr double energy_kept = 1e-3;  // chosen: what steps may leave undone
    const double momentum_kept = done ? run.momentum_allowed(done) : 1;
    const bool right = (!run.summed() || drift.energy < energy_kept) &&
                       drift.momentum < momentum_kept && drift.angular_momentum < momentum_kept;
    failures += !right;
    const auto explain = [&](const char* what, double off, double most) {
      if (off < most) return;
      std::printf(
          "%s, %s: the %s drifts by %.2g, and %.2g is the most that passes: choose a smaller "
          "--dt, or more --softening\n",
          method.name, precision_of<Real>, what, off, most);
    };
    if (run.summed()) explain("energy", drift.energy, energy_kept);
    explain("momentum", drift.momentum, momentum_kept);
    explain("angular momentum", drift.angular_momentum, momentum_kept);
    table.row({method.name, precision_of<Real>, count(bodies.size()), study::number(done, 0),
               significant(asked.dt), significant(chosen.physics.theta),
               significant(chosen.physics.softening),
               run.summed() ? scientific(drift.energy) : study::nothing, scientific(drift.momentum),
               scientific(drift.angular_momentum), right ? "PASS" : "FAIL"});
    if (Interruption::wished()) say_how_to_go_on(asked, done);
  });
  return failures;
}

}  // namespace

const TableKind evolution_table{
    nullptr,
    {"method", "precision", "bodies", "steps", "dt", "theta", "softening", "energy drift",
     "momentum drift", "angular momentum drift", "verified"},
    rows<float>,
    rows<double>};

}  // namespace barnes_hut
