# A draft, untested. services.footfall = { enable = true; package = ...; settings.FOOTFALL_SITE_URL = "https://www.example.org"; };
# The package is the tarball's executable, which on NixOS needs programs.nix-ld: patchelf may cut off the program behind Node.
{ config, lib, ... }:
let
  cfg = config.services.footfall;
in
{
  options.services.footfall = {
    enable = lib.mkEnableOption "Footfall, web analytics";
    package = lib.mkOption { type = lib.types.package; };
    settings = lib.mkOption {
      type = lib.types.attrsOf lib.types.str;
      default = { };
      description = "Options by their names in the environment.";
    };
  };
  config = lib.mkIf cfg.enable {
    systemd.services.footfall = {
      wantedBy = [ "multi-user.target" ];
      wants = [ "network-online.target" ];
      after = [ "network-online.target" ];
      environment = {
        FOOTFALL_DATA = "/var/lib/footfall/footfall.db";
        FOOTFALL_PORT = "8787";
      } // cfg.settings;
      serviceConfig = {
        ExecStart = "${cfg.package}/bin/footfall serve";
        DynamicUser = true;
        StateDirectory = "footfall";
        Restart = "on-failure";
        ProtectSystem = "strict";
        NoNewPrivileges = true;
      };
    };
  };
}
