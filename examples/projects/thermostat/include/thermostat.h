#ifndef THERMOSTAT_H
#define THERMOSTAT_H

enum mode { OFF, HEATING, COOLING };

struct thermostat {
  enum mode mode;
  int target; /* degrees, between -40 and 80 */
  int heater, cooler;
};

int thermostat_set(struct thermostat *t, int target);
void thermostat_step(struct thermostat *t, int measured);

#endif
